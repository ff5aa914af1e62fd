import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { freeSpaceOf } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { Change, Credential, User } from '../user-pool-store.ts'
import { localStore } from './local-store.ts'

const megabyte = 1024 * 1024
const now = 1_700_000_000_000
const pool = 'eu-central-1_Staff01'

const ann: User = {
  id: 'ann',
  name: 'ann',
  status: 'CONFIRMED',
  enabled: true,
  attributes: { email: 'ann@example.com' },
  password: 'x'.repeat(100),
  signInNames: ['ann'],
  created: now,
  modified: now,
}

const session = (id: string, expires = now + 1): Credential => ({
  kind: 'session',
  id,
  user: 'ann',
  expires,
  value: 'x'.repeat(1000),
})

/** Opens user pools with one account on a disk of 100 MB, whose reserve is 10 MB. */
async function poolsOn(folder: string) {
  const disk = { free: 50 * megabyte }
  const database = new DatabaseSync(join(folder, 'user-pools.sqlite'))
  const store = localStore(database, undefined, each =>
    freeSpaceOf(each, () => ({ free: disk.free, total: 100 * megabyte })),
  )
  const change = (changed: Partial<Change>, at = now) => store.change({ pool, now: at, ...changed })
  await change({ users: [{ user: ann, was: undefined }], adds: [session('early')] })
  return { disk, database, store, change }
}

const full = {
  type: 'ServiceUnavailableException',
  message: 'User pools cannot store more: the disk is full.',
}

it('anonymous sign-ups stop before sign-ins, sign-ins before administrators, and deletions never', async () => {
  using folder = temporaryFolder()
  const { disk, store, change } = await poolsOn(folder.path)
  const bo = { ...ann, id: 'bo', name: 'bo', signInNames: ['bo'] }
  const limit = { most: 5, window: 1000 }

  disk.free = 19 * megabyte
  await expect(change({ users: [{ user: bo, was: undefined }] })).rejects.toMatchObject(full)
  expect(await change({ adds: [session('s1')], attempt: { key: 'ann', isRight: false } })).toBeUndefined()
  expect(await store.count(pool, 'codes', limit, now)).toBe(true)

  disk.free = 14 * megabyte
  await expect(change({ puts: [session('s2')] })).rejects.toMatchObject(full)
  await expect(change({ attempt: { key: 'ann', isRight: false } })).rejects.toMatchObject(full)
  await expect(store.count(pool, 'codes', limit, now)).rejects.toMatchObject(full)
  const large = { ...ann, attributes: { ...ann.attributes, picture: 'x'.repeat(2000) } }
  await expect(change({ users: [{ user: large, was: 1 }] })).rejects.toMatchObject(full)
  const group = { name: 'g', created: now, modified: now }
  expect(await change({ group: { group, isNew: true } })).toBeUndefined()
  expect(await store.setPool({ id: 'eu-central-1_Other01', description: '{}' }, undefined)).toBe(true)

  disk.free = 0
  await expect(change({ group: { group: { ...group, name: 'h' }, isNew: true } })).rejects.toMatchObject(full)
  await expect(
    store.setPool({ id: 'eu-central-1_Third01', description: '{}' }, undefined),
  ).rejects.toMatchObject(full)
  const verified = { ...ann.attributes, email_verified: 'true' }
  expect(
    await change({ users: [{ user: { ...ann, attributes: verified, enabled: false }, was: 1 }] }),
  ).toBeUndefined()
  expect(await change({ ends: [{ user: 'ann', kinds: ['session'] }] })).toBeUndefined()
  expect(await store.credentialsOf(pool, 'ann', 'session', now)).toEqual([])
  expect(await store.setKeys(pool, [], [])).toBe(true)
  expect(await change({ removedUser: { id: 'ann', was: 2 } })).toBeUndefined()
  expect(await store.countUsers(pool)).toBe(0)
  await store.removePool('eu-central-1_Other01')
  await store.emptyMessages(now)
  await store.removeMessage(pool, 'm')
  await store.close()
})

it('sessions that filled the disk make place for others when they have expired', async () => {
  using folder = temporaryFolder()
  const { disk, database, change } = await poolsOn(folder.path)
  const many = Array.from({ length: 3000 }, (_, at) => session(`many${at}`))
  await change({ adds: many })
  disk.free = 14.9 * megabyte
  await expect(change({ adds: [session('late', now + 10)] })).rejects.toMatchObject(full)
  expect(await change({ adds: [session('late', now + 10)] }, now + 2)).toBeUndefined()
  expect(database.prepare('select count(*) as count from credentials').get()).toEqual({ count: 1 })
  database.close()
})
