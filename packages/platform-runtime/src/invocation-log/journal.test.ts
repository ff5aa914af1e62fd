import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { InvocationLogEntry, NewInvocationLogEntry } from './entry.ts'
import { openJournal } from './journal.ts'
import { isEventOmitted, payloadLimit } from './kept-entry.ts'

const day = 24 * 60 * 60 * 1000
const entry: NewInvocationLogEntry = {
  requestId: 'r-1',
  functionName: 'shop',
  source: 'load balancer web',
  family: 'load-balancer',
  attempt: 1,
  generation: 1,
  started: 0,
  duration: 3,
  event: '{"path":"/"}',
  payload: '{"statusCode":200}',
  failure: undefined,
  verdict: { kind: 'answered', ok: true, text: '200 OK' },
  logs: [],
}

function open({
  size = 1e6,
  age = 7 * day,
  clock = manualClock(),
  path = ':memory:',
  written = (_: InvocationLogEntry) => {},
} = {}) {
  return openJournal(new DatabaseSync(path), { size, age }, clock, written)
}

describe('the invocation log', () => {
  it('gives back what was recorded, in order, with an id', () => {
    const journal = open()
    const failed: NewInvocationLogEntry = {
      ...entry,
      family: undefined,
      payload: '',
      failure: { kind: 'timeout', message: 'too late' },
      verdict: undefined,
      logs: [{ stream: 'err', text: 'é' }],
    }
    journal.record(entry)
    journal.record(failed)
    expect(journal.list()).toEqual([
      { ...entry, id: 1, masked: false },
      { ...failed, id: 2, masked: false },
    ])
    expect(journal.get(2)).toEqual({ ...failed, id: 2, masked: false })
    expect(journal.get(3)).toBeUndefined()
  })

  it('goes on when whoever is told of entries throws', () => {
    const told: number[] = []
    const notices: string[] = []
    const clock = manualClock()
    const throwing = ({ id }: InvocationLogEntry) => {
      told.push(id)
      throw id === 1 ? new Error('full') : 'no more'
    }
    const limits = { size: 1e6, age: 7 * day }
    const journal = openJournal(new DatabaseSync(':memory:'), limits, clock, throwing, text =>
      notices.push(text),
    )
    journal.record(entry)
    journal.record(entry)
    clock.advance(1000)
    journal.close()
    expect(told).toEqual([1, 2])
    expect(notices).toEqual([
      'Whoever is told of each invocation failed: full',
      'Whoever is told of each invocation failed: no more',
    ])
  })

  it('finds the last ones, those of a function, and those after another', () => {
    const journal = open()
    for (const functionName of ['a', 'b', 'a', 'b', 'a']) journal.record({ ...entry, functionName })
    const ids = (query: Parameters<typeof journal.list>[0]) => journal.list(query).map(({ id }) => id)
    expect(ids({ last: 2 })).toEqual([4, 5])
    expect(ids({ functionName: 'b' })).toEqual([2, 4])
    expect(ids({ functionName: 'a', last: 2 })).toEqual([3, 5])
    expect(ids({ after: 3 })).toEqual([4, 5])
  })

  it('writes by itself after a moment, or when many wait', async () => {
    const clock = manualClock()
    const written: number[] = []
    const journal = open({ clock, written: ({ id }) => written.push(id) })
    journal.record(entry)
    expect(written).toEqual([])
    await clock.advance(25)
    expect(written).toEqual([1])
    for (let i = 0; i < 500; i++) journal.record(entry)
    expect(clock.waiting).toBe(0)
    journal.flush()
    expect(written).toHaveLength(501)
    journal.close()
  })

  it('outlives its process, and other processes may write to it', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    const [first, second] = [open({ path }), open({ path })]
    first.record(entry)
    first.flush()
    second.record(entry)
    expect(second.list()).toHaveLength(2)
    first.close()
    second.close()
    const third = open({ path })
    expect(third.list()).toHaveLength(2)
    third.close()
  })

  it('is bounded in size: the oldest go', () => {
    const journal = open({ size: 100_000 })
    for (let i = 0; i < 1000; i++) journal.record({ ...entry, event: JSON.stringify('x'.repeat(1000)) })
    const kept = journal.list({ last: 1000 })
    expect(kept.length).toBeLessThan(100)
    expect(kept.length).toBeGreaterThan(50)
    expect(kept.at(-1)!.id).toBe(1000)
    journal.close()
  })

  it('stays bounded when it is opened again', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    for (let round = 0; round < 5; round++) {
      const journal = open({ path, size: 100_000 })
      for (let i = 0; i < 60; i++) journal.record({ ...entry, event: JSON.stringify('x'.repeat(1000)) })
      expect(journal.list({ last: 1000 }).length).toBeLessThan(100)
      journal.close()
    }
  })

  it.each([1000, 1])('drops as many as need be when the limit was lowered, of %d characters each', length => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    const event = JSON.stringify('x'.repeat(length))
    const before = open({ path, size: 1e9 })
    for (let i = 0; i < 3000; i++) before.record({ ...entry, event })
    before.close()
    const after = open({ path, size: 100_000 })
    after.record({ ...entry, event })
    const kept = after.list({ last: 3000 })
    const each = 200 + event.length + entry.payload.length
    // A tenth of the limit is free again, to the entry.
    expect(kept.length).toBe(Math.floor(90_000 / each))
    expect(kept.at(-1)!.id).toBe(3001)
    expect(after.list({ last: 1 })).toHaveLength(1)
    after.close()
  })

  it('is bounded in age', () => {
    const clock = manualClock(100 * day)
    const journal = open({ clock, age: 7 * day })
    for (const age of [9, 8, 6, 1]) journal.record({ ...entry, started: (100 - age) * day })
    expect(journal.list().map(({ id }) => id)).toEqual([3, 4])
  })

  it('drops everything that is too old, if need be', async () => {
    const clock = manualClock()
    const journal = open({ clock, age: day })
    journal.record(entry)
    journal.flush()
    await clock.advance(2 * day)
    journal.record({ ...entry, started: 2 * day })
    expect(journal.list().map(({ id }) => id)).toEqual([2])
  })

  it('masks secrets in the event, and wherever else they are repeated', () => {
    const secret = 'hunter2-hunter2'
    const written: InvocationLogEntry[] = []
    const journal = open({ written: each => written.push(each) })
    journal.record({
      ...entry,
      event: JSON.stringify({ request: { password: secret } }),
      payload: JSON.stringify({ request: { password: secret }, note: `${secret}!` }),
      failure: { kind: 'threw', message: `Error: wrong ${secret}` },
      verdict: { kind: 'denied', ok: true, text: `wrong ${secret}` },
      logs: [{ stream: 'out', text: `got ${secret}` }],
    })
    const [kept] = journal.list()
    expect(JSON.stringify([kept, written])).not.toContain(secret)
    expect(kept).toMatchObject({ masked: true, logs: [{ text: 'got ***' }], verdict: { text: 'wrong ***' } })
  })

  it('masks what a function said of itself', () => {
    const journal = open()
    const text = 'login with {"user":"ada","password":"hunter2"} failed'
    journal.record({
      ...entry,
      failure: { kind: 'threw', message: 'Error: https://a.example/?token=hunter3 is gone' },
      logs: [
        { stream: 'out', text },
        { stream: 'err', text: 'hunter3' },
      ],
    })
    expect(journal.list()[0]).toMatchObject({
      masked: true,
      event: entry.event,
      failure: { message: 'Error: https://a.example/?token=*** is gone' },
      logs: [{ text: text.replace('hunter2', '***') }, { text: '***' }],
    })
  })

  it('cuts a payload that is too long', () => {
    const journal = open()
    journal.record({ ...entry, payload: JSON.stringify('x'.repeat(payloadLimit)) })
    const { payload } = journal.list()[0]!
    expect(payload).toBe(`"${'x'.repeat(payloadLimit - 1)}… (the first of ${payloadLimit + 2} characters)`)
  })

  it('keeps the order of entries, whether they wait for the thread or not', () => {
    const journal = open({ size: 1e9 })
    const requestIds = Array.from({ length: 700 }, (_, i) => `r-${i}`)
    for (const requestId of requestIds.slice(0, 650))
      journal.record({ ...entry, requestId, event: JSON.stringify('x'.repeat(500)) })
    for (const requestId of requestIds.slice(650)) journal.record({ ...entry, requestId })
    expect(journal.list({ last: 1000 }).map(({ requestId }) => requestId)).toEqual(requestIds)
    journal.close()
  })

  it('writes everything when it is closed, wherever that is', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'invocation-log.sqlite')
    const journal = open({ path, size: 1e9 })
    for (let i = 0; i < 1234; i++) journal.record({ ...entry, event: JSON.stringify('x'.repeat(1000)) })
    journal.close()
    const again = open({ path, size: 1e9 })
    expect(again.list({ last: 9999 })).toHaveLength(1234)
    again.close()
  })

  it('lets its process go on while it masks what takes long', async () => {
    const written: number[] = []
    const journal = open({ size: 1e9, written: ({ id }) => written.push(id) })
    const event = JSON.stringify({ body: 'token=x '.repeat(100_000) })
    for (let i = 0; i < 3; i++) journal.record({ ...entry, event })
    let turns = 0
    for (; written.length < 3; turns++) await new Promise(resolve => setImmediate(resolve))
    expect(turns).toBeGreaterThan(3)
    journal.close()
  })

  it('keeps less of the entries that come when too many wait for the thread, and all of them', () => {
    const journal = open({ size: 1e9 })
    const event = JSON.stringify({ body: 'x'.repeat(1_000_000) })
    for (let i = 0; i < 50; i++)
      journal.record({ ...entry, event, payload: event, logs: [{ stream: 'out', text: event }] })
    const kept = journal.list()
    expect(kept).toHaveLength(50)
    expect(kept[0]!.event).toBe(event)
    const { event: left, payload, logs } = kept.at(-1)!
    expect(isEventOmitted(left) && JSON.parse(left)).toBe(
      'left out because too much came at once: 1000011 characters',
    )
    expect(payload).toMatch(/^\{"body":"x{247}… \(the first of 1000011 characters\)$/)
    expect(logs[0]!.text).toHaveLength(payload.length)
    expect(kept.filter(each => each.event === event).length).toBeGreaterThan(1)
    journal.close()
  })

  it('loses entries when the disk is full, says so once, and goes on', async () => {
    using folder = temporaryFolder()
    const database = new DatabaseSync(join(folder.path, 'invocation-log.sqlite'))
    const clock = manualClock()
    const notices: string[] = []
    const journal = openJournal(database, { size: 1e9, age: day }, clock, undefined, text =>
      notices.push(text),
    )
    const recordAndWait = async () => {
      journal.record({ ...entry, event: JSON.stringify(randomBytes(100_000).toString('hex')) })
      await clock.advance(1000)
      journal.flush()
    }
    const limit = (pages: number) => database.exec(`pragma max_page_count = ${pages}`)
    await recordAndWait()
    limit(Number(database.prepare('pragma page_count').get()!.page_count))
    for (const _ of [1, 2]) await recordAndWait()
    const lost = 'The invocation log cannot be written, and misses entries: database or disk is full'
    expect(notices).toEqual([lost])
    expect(journal.list()).toHaveLength(1)
    limit(1e6)
    await recordAndWait()
    expect(journal.list().map(({ id }) => id)).toEqual([1, 2])
    limit(1)
    await recordAndWait()
    expect(notices).toEqual([lost, lost])
    journal.close()
  })
})
