import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../random.ts'
import { vault } from '../../secrets/vault.ts'
import { dataDirectory } from '../../storage/data-directory.ts'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { accessLog } from '../access-log.ts'
import { keyStore } from '../key-store.ts'
import { accessStorageSuite } from '../testing/access-storage-suite.ts'
import { accessLogTable } from './access-log-table.ts'
import { localAccessStore, localKeys, readLocalAccessLog } from './local-access-store.ts'

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
  expect(notices).toEqual(['The access log cannot be written now: the disk is full'])
  database.exec('pragma max_page_count = 1000000')
  await clock.advance(1000)
  expect(database.prepare('select count(*) as count from access_log').get()).toEqual({ count: 1000 })
  await log.close()
  database.close()
})

/** Returns a data directory with a key and an access log whose files are replaced by text, or damaged behind the head. */
async function damaged(path: string, name: string, damage: (bytes: Buffer) => Buffer) {
  const store = localAccessStore(dataDirectory(path), { age: 3_600_000, clock: manualClock(0) })
  for (let index = 0; index < 200; index++)
    await store.keys.insert({ id: `key ${index}`, identity: 'shop', sealed: 'x'.repeat(100), created: 0 })
  await store.log.write([{ ...record, first: 0, last: 0, count: 1 }])
  await store.close()
  const file = join(path, `${name}.sqlite`)
  writeFileSync(file, damage(readFileSync(file)))
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  return file
}

it.each([
  ['is no database', () => Buffer.from('hello '.repeat(1000))],
  ['has overwritten pages', (bytes: Buffer) => bytes.fill(1, 4096)],
])(
  'a file of access keys that %s is named with what to do, instead of SQLite’s words alone',
  async (_, damage) => {
    using folder = temporaryFolder()
    const file = await damaged(folder.path, 'access', damage)
    const remedy =
      /^The access keys in (.*) are damaged: .*\. Restore a copy of the file, or move it away and make new keys with `signalbox access add`\.$/
    const use = async () => {
      const { keys, close } = localKeys(dataDirectory(folder.path))
      try {
        return keys.find('key 1') ?? (await keys.list())
      } finally {
        close()
      }
    }
    const error = await use().catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: 'DAMAGED_FILE', message: expect.stringMatching(remedy) })
    expect(remedy.exec((error as Error).message)?.[1]).toBe(file)
  },
)

it('a damaged file of the access log is named with what to do', async () => {
  using folder = temporaryFolder()
  const file = await damaged(folder.path, 'invocation-log', bytes => bytes.fill(1, 4096))
  const read = () => readLocalAccessLog(folder.path)
  expect(read).toThrow(`The entries of the access log in ${file} are damaged`)
  expect(read).toThrow('Move the file away, and a new log begins.')
})

it('an access log on a disk that is nearly full keeps the reserve, and forgets what is too old', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const database = new DatabaseSync(join(folder.path, 'invocation-log.sqlite'))
  const disk = { free: 80 * 1024 * 1024, total: 100 * 1024 * 1024 }
  const table = accessLogTable(database, { age: 3_600_000, clock }, each =>
    freeSpaceOf(each, () => ({ ...disk })),
  )
  await table.write([{ ...record, first: 0, last: 0, count: 1 }])
  disk.free = 29 * 1024 * 1024
  const late = { ...record, first: 7_200_000, last: 7_200_000, count: 1 }
  await expect(table.write([late])).rejects.toThrow('the disk is full')
  expect(await table.read()).toHaveLength(1)
  await clock.advance(7_200_000)
  await expect(table.write([late])).rejects.toThrow('the disk is full')
  expect(await table.read()).toEqual([])
  disk.free = 31 * 1024 * 1024
  await table.write([late])
  expect(await table.read()).toHaveLength(1)
  database.close()
})
