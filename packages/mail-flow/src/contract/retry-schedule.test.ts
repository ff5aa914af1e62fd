import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { retrySchedule } from './retry-schedule.ts'

const minutes = ({ retries, fallbackAt }: ReturnType<typeof retrySchedule>) => ({
  retries: retries.map(at => at / 60_000),
  fallbackAt: fallbackAt / 60_000,
})

describe('retrySchedule', () => {
  it('a rule time-out of 0 means no retries before the fallback action', () => {
    expect(retrySchedule(0)).toEqual({ retries: [], fallbackAt: 0 })
  })

  it('the longest rule time-out is 240 minutes', () => {
    expect(minutes(retrySchedule(240))).toEqual({ retries: [1, 3, 7, 15, 31, 63, 127], fallbackAt: 240 })
  })

  it('the last retry may be at the end of the time-out, not later', () => {
    expect(minutes(retrySchedule(1))).toEqual({ retries: [1], fallbackAt: 1 })
    expect(minutes(retrySchedule(2))).toEqual({ retries: [1], fallbackAt: 2 })
    expect(minutes(retrySchedule(3))).toEqual({ retries: [1, 3], fallbackAt: 3 })
  })

  it('each further delay is twice as long, for any time-out', () => {
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
    'a time-out of %d minutes is refused',
    timeOut => {
      expect(() => retrySchedule(timeOut)).toThrow(
        new RangeError(`The rule's time-out is ${timeOut} minutes, expected 0 to 240`),
      )
    },
  )
})
