import { randomBytes, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import type { NewInvocationLogEntry } from '../entry.ts'
import type { InvocationLog } from '../invocation-log.ts'
import { passes } from '../search.ts'
import { loggedEntry, logOptions } from '../testing/logged-entry.ts'
import { localInvocationLog } from './local-invocation-log.ts'

/** Opens a log, and returns a function that appends entries and waits until the index contains them. */
function indexedLog(database: DatabaseSync, options: { readonly size?: number } = {}) {
  const clock = manualClock()
  const log = localInvocationLog(database, logOptions({ size: 1e9, clock, ...options }))
  const append = async (entries: readonly Partial<NewInvocationLogEntry>[]) => {
    for (const entry of entries) log.append({ ...loggedEntry, ...entry })
    await log.flush()
    while (clock.waiting > 0) {
      await clock.advance(10)
      await log.flush()
    }
  }
  return { log, append }
}

const tables = (database: DatabaseSync) =>
  database
    .prepare(`select name from sqlite_schema where sql like 'create virtual table%' order by rowid`)
    .all()
    .map(({ name }) => String(name))

const ids = async (log: InvocationLog, search: Parameters<InvocationLog['search']>[0]) =>
  (await log.search(search)).entries.map(({ id }) => id)

it('the index finds each part of a text, whatever its characters', async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('a', 'b', '"', '\\', '\n', ' ', 'é', '\u{1f600}'), fc.string()),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 3, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      async (texts, at, from) => {
        const { log, append } = indexedLog(new DatabaseSync(':memory:'))
        const entries = texts.map((each, i) =>
          i % 2 === 0 ? { payload: each } : { logs: [{ stream: 'out' as const, text: each }] },
        )
        await append([...entries, ...Array.from({ length: 140 }, () => ({}))])
        const wanted = texts[at % texts.length]!
        const part = [...wanted].slice(from % ([...wanted].length + 1)).join('')
        const all = (await log.list({ last: 1000 })).toReversed()
        const expected = all.filter(entry => passes(entry, { text: part })).map(({ id }) => id)
        const isStorable = part.isWellFormed() && !wanted.includes('\0')
        if (isStorable) expect(await ids(log, { text: part, last: 1000 })).toEqual(expected)
        await log.close()
      },
    ),
    { numRuns: 60 },
  )
})

it('the index contains all entries once the log is idle, also after a burst', async () => {
  const database = new DatabaseSync(':memory:')
  const { log, append } = indexedLog(database)
  await append(
    Array.from({ length: 5000 }, (_, i) => ({ payload: `"order-${i}-of-many"`, requestId: `request-${i}.` })),
  )
  expect(tables(database).length).toBeGreaterThan(1)
  expect(database.prepare('select last_id - indexed as left from invocation_log').get()!.left).toBeLessThan(
    64,
  )
  for (const i of [0, 1023, 1024, 2500, 4900]) {
    expect(await ids(log, { text: `order-${i}-of`, last: 5 })).toEqual([i + 1])
    expect(await ids(log, { requestId: `request-${i}.`, last: 5 })).toEqual([i + 1])
    expect(await ids(log, { text: `order-${i}-of`, before: i + 1, last: 5 })).toEqual([])
  }
  const first = await log.search({ text: 'of-many', last: 300 })
  expect(first.entries.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, i) => 5000 - i))
  expect(first.before).toBe(4701)
  await log.close()
})

it('a search reads only the entries that may have the text', async () => {
  const database = new DatabaseSync(':memory:')
  const { log, append } = indexedLog(database)
  await append(Array.from({ length: 2000 }, (_, i) => ({ payload: i === 100 ? 'the needle' : 'hay' })))
  database.exec(`update invocations set payload = 'the needle' where id = 1500`)
  expect(await ids(log, { text: 'needle', last: 5 })).toEqual([101])
  await log.close()
})

it('a log that is full stays within its size, whatever its texts, and drops the index of deleted entries', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const database = new DatabaseSync(path)
  const size = 8e6
  const { log, append } = indexedLog(database, { size })
  const seen = new Set<string>()
  for (let round = 0; round < 40; round++) {
    const random = (round < 20 ? randomBytes(700).toString('base64') : randomUUID()) + round
    await append(
      Array.from({ length: 300 }, (_, i) => ({ payload: `${random}${i}`, event: `"${randomUUID()}"` })),
    )
    expect(statSync(path).size).toBeLessThan(size)
    for (const name of tables(database)) seen.add(name)
  }
  const kept = await log.list({ last: 1e6 })
  expect(kept.length).toBeGreaterThan(3000)
  expect(tables(database).length).toBeLessThan(12)
  expect(seen.size).toBeGreaterThan(tables(database).length)
  const { payload, id } = kept[100]!
  expect(await ids(log, { text: payload, last: 2 })).toEqual([id])
  await log.close()
})

it('a log with a lowered limit returns its space to the disk', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const before = indexedLog(new DatabaseSync(path))
  await before.append(
    Array.from({ length: 6000 }, (_, i) => ({ event: JSON.stringify('x'.repeat(1000) + i) })),
  )
  await before.log.close()
  expect(statSync(path).size).toBeGreaterThan(4e6)
  const after = indexedLog(new DatabaseSync(path), { size: 1e6 })
  for (let i = 0; i < 5; i++) await after.append([{}])
  await after.log.close()
  expect(statSync(path).size).toBeLessThan(1.1e6)
})
