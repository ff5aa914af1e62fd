import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../random.ts'
import { vault } from '../../secrets/vault.ts'
import { dataDirectory } from '../../storage/data-directory.ts'
import { accessStorageSuite } from '../../testing/suites/access-storage-suite.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { accessLog } from '../access-log.ts'
import { keyStore } from '../key-store.ts'
import { accessLogTable } from './access-log-table.ts'
import { localAccessStore, readLocalAccessLog } from './local-access-store.ts'

const record = {
  identity: 'shop',
  source: 'queues',
  operation: 'X',
  resource: '',
  result: 'allowed',
  address: '',
}

accessStorageSuite('SQLite', async () => {
  const folder = temporaryFolder()
  return {
    open: async options => localAccessStore(dataDirectory(folder.path), options),
    end: async () => folder[Symbol.dispose](),
  }
})

it('a change to stored access keys takes effect at once in every process', async () => {
  using folder = temporaryFolder()
  const options = { age: 1, clock: manualClock(0) }
  const open = () => localAccessStore(dataDirectory(folder.path), options)
  const [command, platform] = [open(), open()]
  await command.keys.insert({ id: 'A', identity: 'shop', sealed: 'x', created: 0 })
  expect(platform.keys.find('A')).toMatchObject({ identity: 'shop' })
  await command.keys.revoke('A', 1)
  expect(platform.keys.find('A')).toBeUndefined()
  await command.close()
  await platform.close()
})

it('the access-key database contains no plaintext secret', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const store = localAccessStore(dataDirectory(folder.path), { age: 1, clock })
  const keys = keyStore(store.keys, vault(new Uint8Array(32), systemRandom), { clock, random: systemRandom })
  const { secretAccessKey, accessKeyId } = await keys.add('shop')
  const bytes = readFileSync(join(folder.path, 'access.sqlite-wal'))
  expect(bytes.includes(accessKeyId)).toBe(true)
  expect(bytes.includes(secretAccessKey)).toBe(false)
  await store.close()
})

it('reading an access log that does not exist yet creates no file', () => {
  using folder = temporaryFolder()
  expect(readLocalAccessLog(folder.path)).toEqual([])
  expect(() => readFileSync(join(folder.path, 'invocation-log.sqlite'))).toThrow('ENOENT')
})

it('an access log that cannot be written reports this once, and keeps its entries for a later attempt', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const notices: string[] = []
  const directory = dataDirectory(folder.path)
  const store = localAccessStore(directory, { age: 3_600_000, clock })
  const log = accessLog(() => store.log, { clock, notice: text => notices.push(text) })
  const database = directory.open('invocation-log')
  database.exec('alter table access_log rename to hidden')
  log.add(record)
  await clock.advance(1000)
  log.add(record)
  await clock.advance(1000)
  expect(notices).toEqual([expect.stringContaining('The access log cannot be written now: no such table')])
  database.exec('alter table hidden rename to access_log')
  await clock.advance(1000)
  expect(readLocalAccessLog(folder.path)).toMatchObject([{ count: 2 }])
  await log.close()
  await store.close()
  database.close()
})

it('an access log on a full disk reports that the disk is full', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const notices: string[] = []
  const database = new DatabaseSync(join(folder.path, 'invocation-log.sqlite'))
  const table = accessLogTable(database, { age: 3_600_000, clock })
  const log = accessLog(() => table, { clock, notice: text => notices.push(text) })
  const pages = Number(database.prepare('pragma page_count').get()!.page_count)
  database.exec(`pragma max_page_count = ${pages}`)
  for (let each = 0; each < 1000; each++) log.add({ ...record, operation: `X${each}` })
  await clock.advance(1000)
  expect(notices).toEqual(['The access log cannot be written now: database or disk is full'])
  database.exec('pragma max_page_count = 1000000')
  await clock.advance(1000)
  expect(database.prepare('select count(*) as count from access_log').get()).toEqual({ count: 1000 })
  await log.close()
  database.close()
})
