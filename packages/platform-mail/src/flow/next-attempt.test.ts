import { describe, expect, it } from '@jest/globals'
import { nextAttempt } from './next-attempt.ts'

const minute = 60_000
const failed = 1_700_000_000_000

/**
 * Returns the times of all attempts and of the fallback, in minutes after the first failure, if each attempt fails
 * after `took` ms.
 */
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

describe('a failed invocation', () => {
  it('is not retried if the rule timeout is 0', () => {
    expect(nextAttempt(0, failed, failed)).toEqual({ next: 'fallback', at: failed })
  })

  it('is retried 1, 3, 7, 15, 31, 63 and 127 minutes later if the rule timeout is 240 minutes', () => {
    expect(course(240)).toEqual([1, 3, 7, 15, 31, 63, 127, 240])
    expect(course(240, 15_000)).toEqual([1, 3, 7, 15, 31, 63, 127, 240])
  })

  it('is retried for the last time at the end of the rule timeout', () => {
    expect(course(3)).toEqual([1, 3, 3])
  })

  it('skips retries whose time passed while the platform was stopped', () => {
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
