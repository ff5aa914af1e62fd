import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { day, kilobyte, loggedEntry } from './logged-entry.ts'
import { idsOf, type OpenLog } from './opened-log.ts'

const hour = day / 24

/** Declares the tests of the limits on the size and age of an invocation log. */
export function logLimitsSuite(openLog: OpenLog, openAgain: OpenLog): void {
  it('deletes the oldest entries when it is larger than its size limit', async () => {
    const log = await openLog({ size: 1_000_000 })
    for (let i = 0; i < 3000; i++) log.append(kilobyte())
    const ids = await idsOf(log, { last: 3000 })
    expect(ids.length).toBeLessThan(1000)
    expect(ids.length).toBeGreaterThan(500)
    expect(ids.at(-1)).toBe(3000)
  })

  it('stays within its size limit when it is opened many times', async () => {
    const first = await openLog({ size: 1_000_000 })
    await first.close()
    for (let round = 0; round < 5; round++) {
      const log = await openAgain({ size: 1_000_000 })
      for (let i = 0; i < 600; i++) log.append(kilobyte())
      expect((await log.list({ last: 3000 })).length).toBeLessThan(1000)
      await log.close()
    }
  })

  it('never assigns the id of a deleted entry again', async () => {
    const clock = manualClock()
    const log = await openLog({ clock, age: day })
    log.append(loggedEntry)
    await log.flush()
    await clock.advance(2 * day)
    log.append({ ...loggedEntry, started: 2 * day })
    expect(await idsOf(log)).toEqual([2])
  })

  it('deletes entries that are older than its age limit', async () => {
    const log = await openLog({ clock: manualClock(100 * day), age: 7 * day })
    for (const age of [9, 8, 6, 1]) log.append({ ...loggedEntry, started: (100 - age) * day })
    expect(await idsOf(log)).toEqual([3, 4])
  })

  it('keeps new entries although the clock was 400 days ahead when it was opened', async () => {
    const clock = manualClock(500 * day)
    const log = await openLog({ clock, age: day })
    clock.jump(-400 * day)
    for (const _ of [1, 2]) {
      log.append({ ...loggedEntry, started: clock.wall() })
      await log.flush()
      await clock.advance(day / 2)
    }
    expect(await idsOf(log)).toEqual([1, 2])
    await clock.advance(day)
    log.append({ ...loggedEntry, started: clock.wall() })
    expect(await idsOf(log)).toEqual([3])
  })

  it('keeps its entries while the clock is 400 days ahead', async () => {
    const clock = manualClock(100 * day)
    const log = await openLog({ clock, age: day })
    log.append({ ...loggedEntry, started: clock.wall() })
    await log.flush()
    clock.jump(400 * day)
    await clock.advance(hour)
    log.append({ ...loggedEntry, started: clock.wall() })
    expect(await idsOf(log)).toEqual([1, 2])
  })

  it('still applies its age limit after the clock was ahead for a while', async () => {
    const clock = manualClock(100 * day)
    let ahead = 1000 * day
    const log = await openLog({ clock: { ...clock, now: () => clock.now() + ahead }, age: day })
    const append = async () => {
      log.append({ ...loggedEntry, started: clock.now() + ahead })
      await log.flush()
    }
    await append()
    ahead = 0
    await append()
    await clock.advance(2 * day)
    await append()
    expect(await idsOf(log)).toEqual([1, 3])
  })
}
