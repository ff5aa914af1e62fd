import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { gatheredLog } from './gathered-log.ts'
import { loggedEntry, logOptions } from './testing/logged-entry.ts'

/** Returns a log whose engine does as `tidy` says, and the number of rows that it has written. */
function logThat(tidy: () => boolean | Promise<boolean>) {
  const clock = manualClock()
  let written = 0
  const insert = (rows: readonly unknown[]) => rows.map(() => ++written)
  const log = gatheredLog({ insert, tidy, isTemporary: () => false }, logOptions({ clock }))
  return { clock, log, written: () => written }
}

it('an entry that comes while the limits are applied is written without a further one', async () => {
  let end = (_more: boolean) => {}
  const { clock, log, written } = logThat(() => new Promise(resolve => (end = resolve)))
  log.append(loggedEntry)
  await clock.advance(10)
  log.append(loggedEntry)
  await clock.advance(10)
  expect(written()).toBe(1)
  end(false)
  await clock.advance(0)
  await clock.advance(10)
  expect(written()).toBe(2)
  end(false)
  await log.close()
})

it('a large entry that comes just as a writing ends is written without a further one', async () => {
  let end = (_more: boolean) => {}
  const limits = new Promise<boolean>(resolve => (end = resolve))
  const { clock, log, written } = logThat(() => limits)
  log.append(loggedEntry)
  await clock.advance(10)
  // This runs after the log has seen that no entry waits, and before it counts the writing as ended.
  void limits.then(() => log.append({ ...loggedEntry, event: JSON.stringify('x'.repeat(2 ** 20)) }))
  end(false)
  await clock.advance(0)
  await clock.advance(10)
  expect(written()).toBe(2)
  await log.close()
})

it('entries are written after the engine failed while nothing waited', async () => {
  let times = 0
  const { clock, log, written } = logThat(() => {
    if (++times === 2) throw new Error('The disk is broken.')
    return times === 1
  })
  log.append(loggedEntry)
  await clock.advance(10)
  await clock.advance(10)
  expect(times).toBe(2)
  log.append(loggedEntry)
  await clock.advance(1000)
  await log.flush()
  expect(written()).toBe(2)
  await log.close()
})
