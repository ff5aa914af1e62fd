import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { invocationLogSuite, loggedEntry, logOptions } from '../testing/invocation-log-suite.ts'
import { isEventOmitted } from '../trimmed-entry.ts'
import { localInvocationLog } from './local-invocation-log.ts'

for (const [name, fullTextSearch] of [
  ['SQLite', true],
  ['SQLite without full-text search', false],
] as const)
  invocationLogSuite(name, async options => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    const openAgain = async (more: typeof options) =>
      localInvocationLog(new DatabaseSync(path), more, { fullTextSearch })
    return { log: await openAgain(options), openAgain, end: async () => folder[Symbol.dispose]() }
  })

const inMemory = (options: Parameters<typeof logOptions>[0] = {}) =>
  localInvocationLog(new DatabaseSync(':memory:'), logOptions(options))

it('a SQLite invocation log writes 500 waiting entries at once', async () => {
  const clock = manualClock()
  const written: number[] = []
  const log = inMemory({ clock, onWritten: ({ id }) => written.push(id) })
  for (let i = 0; i < 500; i++) log.append(loggedEntry)
  expect(clock.waiting).toBe(0)
  await log.flush()
  expect(written).toHaveLength(500)
  await log.close()
})

it.each([1, 400])(
  'a SQLite invocation log masks a secret in a payload even when the event contains no secret (entries before it: %d)',
  async count => {
    const log = inMemory()
    for (let i = 0; i < count; i++) log.append({ ...loggedEntry, payload: '{"statusCode":200}' })
    log.append({ ...loggedEntry, payload: '{"password":"correct horse"}' })
    const { payload, masked } = (await log.list()).at(-1)!
    expect(payload).not.toContain('horse')
    expect(masked).toBe(true)
    await log.close()
  },
)

it('a SQLite invocation log does not block its process while it masks large entries', async () => {
  const written: number[] = []
  const log = inMemory({ size: 1e9, onWritten: ({ id }) => written.push(id) })
  const event = JSON.stringify({ body: 'token=x '.repeat(100_000) })
  for (let i = 0; i < 3; i++) log.append({ ...loggedEntry, event })
  let turns = 0
  for (; written.length < 3; turns++) await new Promise(resolve => setImmediate(resolve))
  expect(turns).toBeGreaterThanOrEqual(3)
  await log.close()
})

it('a SQLite invocation log truncates payloads and logs when too many entries wait', async () => {
  const log = inMemory({ size: 1e9 })
  const event = JSON.stringify({ body: 'x'.repeat(1_000_000) })
  for (let i = 0; i < 50; i++)
    log.append({ ...loggedEntry, event, payload: event, logs: [{ stream: 'out', text: event }] })
  const entries = await log.list()
  const { event: omitted, payload, logs } = entries.at(-1)!
  expect(isEventOmitted(omitted) && JSON.parse(omitted)).toBe(
    'left out because too much came at once: 1000011 characters',
  )
  expect(payload).toMatch(/^\{"body":"x{247}… \(the first of 1000011 characters\)$/)
  expect(logs[0]!.text).toHaveLength(payload.length)
  expect(entries.filter(each => each.event === event).length).toBeGreaterThan(1)
  await log.close()
})

it('an invocation log on a disk that is nearly full keeps the reserve, and replaces its oldest entries', async () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'invocation-log.sqlite'))
  const clock = manualClock()
  const notices: string[] = []
  const disk = { free: 80 * 1024 * 1024, total: 100 * 1024 * 1024 }
  const log = localInvocationLog(
    database,
    logOptions({ size: 1e9, clock, notice: text => notices.push(text) }),
    { measure: each => freeSpaceOf(each, () => ({ ...disk })) },
  )
  const append = async (times: number) => {
    for (let time = 0; time < times; time++) {
      log.append({ ...loggedEntry, event: JSON.stringify(randomBytes(100_000).toString('hex')) })
      await clock.advance(1000)
      await log.flush()
    }
  }
  const ids = async () => (await log.list()).map(({ id }) => id)
  await append(40)
  const size = () => Number(database.prepare('pragma page_count').get()!.page_count)
  const before = size()
  disk.free = 29.9 * 1024 * 1024
  await append(3)
  expect(notices).toEqual([])
  expect((await ids()).at(-1)).toBe(43)
  expect((await ids())[0]).toBeGreaterThan(1)
  expect(size()).toBe(before)
  const left = await ids()
  // The space for other data is not used, whatever is in the log.
  disk.free = 14 * 1024 * 1024
  await append(5)
  expect(notices).toEqual(['The invocation log cannot be written, and misses entries: the disk is full'])
  expect((await ids()).at(-1)).toBe(left.at(-1))
  expect((await ids()).length).toBeGreaterThan(5)
  await log.close()
})

it('a SQLite invocation log drops entries while the disk is full, and reports this once', async () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'invocation-log.sqlite'))
  const clock = manualClock()
  const notices: string[] = []
  const log = localInvocationLog(
    database,
    logOptions({ size: 1e9, clock, notice: text => notices.push(text) }),
  )
  const append = async () => {
    log.append({ ...loggedEntry, event: JSON.stringify(randomBytes(100_000).toString('hex')) })
    await clock.advance(1000)
    await log.flush()
  }
  const limit = (pages: number) => database.exec(`pragma max_page_count = ${pages}`)
  await append()
  limit(Number(database.prepare('pragma page_count').get()!.page_count))
  for (const _ of [1, 2]) await append()
  const lost = 'The invocation log cannot be written, and misses entries: the disk is full'
  expect(notices).toEqual([lost])
  expect(await log.list()).toHaveLength(1)
  limit(1e6)
  await append()
  expect((await log.list()).map(({ id }) => id)).toEqual([1, 2])
  limit(1)
  await append()
  expect(notices).toEqual([lost, lost])
  await log.close()
})
