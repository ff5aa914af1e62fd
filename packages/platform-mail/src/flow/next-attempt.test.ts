import { describe, expect, it } from '@jest/globals'
import { nextAttempt } from './next-attempt.ts'

const minute = 60_000
const failed = 1_700_000_000_000

/** Every time at which something happens, in minutes after the first failure, when each attempt fails after `took` ms. */
function course(timeout: number, took = 0) {
  const times: number[] = []
  let now = failed
  for (;;) {
    const { next, at } = nextAttempt(timeout, failed, now)
    times.push((at - failed) / minute)
    if (next === 'fallback') return times
    now = at + took
  }
}

describe('when a failed invocation goes on', () => {
  it('"a rule time-out of 0 (the minimum) means no retries before the fallback action applies"', () => {
    expect(nextAttempt(0, failed, failed)).toEqual({ next: 'fallback', at: failed })
  })

  it('"maximum rule time-out 240 minutes": after 1, 2, 4, 8, 16, 32 and 64 minutes more, then the fallback', () => {
    expect(course(240)).toEqual([1, 3, 7, 15, 31, 63, 127, 240])
    expect(course(240, 15_000)).toEqual([1, 3, 7, 15, 31, 63, 127, 240])
  })

  it('tries once more at the very end of the rule time-out', () => {
    expect(course(3)).toEqual([1, 3, 3])
  })

  it('does not make up for retries whose time went by while the box did not run', () => {
    expect(nextAttempt(240, failed, failed + 20 * minute)).toEqual({
      next: 'attempt',
      at: failed + 31 * minute,
    })
    expect(nextAttempt(240, failed, failed + 500 * minute)).toEqual({
      next: 'fallback',
      at: failed + 240 * minute,
    })
  })
})
