import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../random.ts'
import { vault } from '../secrets/vault.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { keyStore } from './key-store.ts'

const clock = manualClock(1_700_000_000_000)
const sealing = vault(new Uint8Array(32), systemRandom)
const open = (path: string) => keyStore(new DatabaseSync(path), sealing, { clock, random: systemRandom })

it('an expired or revoked key becomes invalid in every process at once', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'access.sqlite')
  const [command, platform] = [open(path), open(path)]
  const { accessKeyId, secretAccessKey } = command.add('shop')
  expect(accessKeyId).toMatch(/^SBAK[A-Z2-7]{16}$/)
  expect(secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/)
  const known = { secret: secretAccessKey, identity: 'shop' }
  expect(platform.valid(accessKeyId)).toEqual(known)
  expect(command.expire(accessKeyId, clock.now() + 1000)).toBe(true)
  expect(platform.valid(accessKeyId)).toEqual(known)
  await clock.advance(1000)
  expect(platform.valid(accessKeyId)).toBeUndefined()

  const other = command.add('shop')
  expect(other.accessKeyId).not.toBe(accessKeyId)
  expect(platform.valid(other.accessKeyId)).toBeDefined()
  expect(command.revoke(other.accessKeyId)).toBe(true)
  expect(platform.valid(other.accessKeyId)).toBeUndefined()
  expect(command.revoke(other.accessKeyId)).toBe(false)
  expect(command.expire(other.accessKeyId, 1)).toBe(false)
  expect(command.list()).toMatchObject([{ id: accessKeyId }, { id: other.accessKeyId, revoked: clock.now() }])
  expect(platform.valid('SBAKUNKNOWN')).toBeUndefined()
})

it('the key file holds no readable secret, and each secret can be decrypted only for its own key', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'access.sqlite')
  const store = open(path)
  const first = store.add('shop')
  const second = store.add('other')
  expect(readFileSync(`${path}-wal`).includes(first.secretAccessKey)).toBe(false)
  const database = new DatabaseSync(path)
  database
    .prepare('update keys set sealed = (select sealed from keys where id = ?) where id = ?')
    .run(first.accessKeyId, second.accessKeyId)
  expect(store.valid(second.accessKeyId)).toBeUndefined()
  expect(store.valid(first.accessKeyId)).toMatchObject({ identity: 'shop' })
})
