import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { NewInvocationLogEntry } from './entry.ts'
import { openJournal } from './journal.ts'

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

function open({ size = 1e6, age = 7 * day, clock = manualClock() } = {}) {
  return openJournal(new DatabaseSync(':memory:'), { size, age }, clock)
}

describe('the file of an invocation log', () => {
  it('stays bounded in age when the clock was ahead for a while', async () => {
    const clock = manualClock(100 * day)
    let ahead = 1000 * day
    const journal = open({ clock: { ...clock, now: () => clock.now() + ahead }, age: day })
    const record = () => {
      journal.record({ ...entry, started: clock.now() + ahead })
      journal.flush()
    }
    record()
    ahead = 0
    record()
    await clock.advance(2 * day)
    record()
    expect(journal.list().map(({ id }) => id)).toEqual([1, 3])
  })

  it('takes times of a clock that counts fractions', () => {
    const journal = open()
    journal.record({ ...entry, started: 0.25, duration: 0.5 })
    expect(journal.list()).toMatchObject([{ started: 0.25, duration: 0.5 }])
  })

  it('leaves out what is damaged, says so once, and stays bounded', () => {
    const database = new DatabaseSync(':memory:')
    const notices: string[] = []
    const journal = openJournal(database, { size: 5000, age: day }, manualClock(), undefined, text =>
      notices.push(text),
    )
    const record = (functionName: string) => {
      for (const _ of [1, 2]) journal.record({ ...entry, functionName })
      journal.flush()
    }
    for (const name of ['a', 'b', 'a']) record(name)
    database.exec(`update blocks set packed = x'0011' where last = 4`)
    expect(journal.list().map(({ id }) => id)).toEqual([1, 2, 5, 6])
    expect(journal.list({ functionName: 'b' })).toEqual([])
    expect([journal.get(3), journal.get(5)?.id]).toEqual([undefined, 5])
    expect(notices).toEqual(['The invocation log is damaged, and misses entries up to #4.'])
    database.exec(`update blocks set packed = x'0011' where last = 6`)
    for (let i = 0; i < 50; i++) record('c')
    const kept = journal.list()
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(25)
    expect(kept.at(-1)!.id).toBe(106)
    expect(notices.filter(text => /written/.test(text))).toEqual([])
  })
})
