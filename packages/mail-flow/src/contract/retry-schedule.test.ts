import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { retrySchedule } from './retry-schedule.ts'

const minutes = ({ retries, fallbackAt }: ReturnType<typeof retrySchedule>) => ({
  retries: retries.map(at => at / 60_000),
  fallbackAt: fallbackAt / 60_000,
})

describe('retrySchedule', () => {
  it('has no retries for a time-out of 0', () => {
    expect(retrySchedule(0)).toEqual({ retries: [], fallbackAt: 0 })
  })

  it('accepts a time-out of up to 240 minutes', () => {
    expect(minutes(retrySchedule(240))).toEqual({ retries: [1, 3, 7, 15, 31, 63, 127], fallbackAt: 240 })
  })

  it('allows the last retry at the end of the time-out, but not later', () => {
    expect(minutes(retrySchedule(1))).toEqual({ retries: [1], fallbackAt: 1 })
    expect(minutes(retrySchedule(2))).toEqual({ retries: [1], fallbackAt: 2 })
    expect(minutes(retrySchedule(3))).toEqual({ retries: [1, 3], fallbackAt: 3 })
  })

  it('doubles the delay with each retry, for any time-out', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 240, noNaN: true }), timeOut => {
        const { retries, fallbackAt } = minutes(retrySchedule(timeOut))
        expect(fallbackAt).toBeCloseTo(timeOut)
        const delays = retries.map((at, index) => at - (retries[index - 1] ?? 0))
        expect(delays).toEqual(delays.map((_, index) => 2 ** index))
        expect(retries.at(-1) ?? 0).toBeLessThanOrEqual(timeOut)
        expect((retries.at(-1) ?? 0) + 2 ** retries.length).toBeGreaterThan(timeOut)
      }),
    )
  })

  it.each([-1, 240.1, 241, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a time-out of %d minutes',
    timeOut => {
      expect(() => retrySchedule(timeOut)).toThrow(
        new RangeError(`The rule's time-out is ${timeOut} minutes, expected 0 to 240`),
      )
    },
  )
})
