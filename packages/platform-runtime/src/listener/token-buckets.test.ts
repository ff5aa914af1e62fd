import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import * as fc from 'fast-check'
import { tokenBuckets } from './token-buckets.ts'

describe('tokenBuckets()', () => {
  it('a client may use a full bucket at once, and then waits for one token', async () => {
    const clock = manualClock(0)
    const buckets = tokenBuckets({ amount: 3, window: 3000 }, clock)
    for (let number = 0; number < 3; number++) {
      expect(buckets.delay('a')).toBe(0)
      buckets.take('a')
    }
    expect(buckets.delay('a')).toBe(1000)
    expect(buckets.delay('b')).toBe(0)
    await clock.advance(999)
    expect(buckets.delay('a')).toBe(1)
    await clock.advance(1)
    expect(buckets.delay('a')).toBe(0)
    buckets.take('a')
    expect(buckets.delay('a')).toBe(1000)
  })

  it('an idle client saves no more tokens than a full bucket holds', async () => {
    const clock = manualClock(0)
    const buckets = tokenBuckets({ amount: 2, window: 1000 }, clock)
    buckets.take('a')
    await clock.advance(1_000_000)
    buckets.take('a', 2)
    expect(buckets.delay('a')).toBe(500)
  })

  it('lower() can only lower the tokens of a bucket, never raise them', async () => {
    const clock = manualClock(0)
    const buckets = tokenBuckets({ amount: 10, window: 1000 }, clock)
    buckets.lower('a', -1)
    expect(buckets.delay('a')).toBe(200)
    buckets.lower('a', 5)
    expect(buckets.delay('a')).toBe(200)
    await clock.advance(200)
    expect(buckets.delay('a')).toBe(0)
  })

  it('a client that used more tokens than it had waits until they are refilled', async () => {
    const clock = manualClock(0)
    const buckets = tokenBuckets({ amount: 1000, window: 1000 }, clock)
    buckets.take('a', 5000)
    expect(buckets.delay('a')).toBe(4001)
    await clock.advance(4001)
    expect(buckets.delay('a')).toBe(0)
  })

  it('a client never gets more tokens than one full bucket and the tokens that are refilled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.nat(400), { maxLength: 200 }),
        async (amount, window, pauses) => {
          const clock = manualClock(0)
          const buckets = tokenBuckets({ amount, window }, clock)
          let taken = 0
          for (const pause of pauses) {
            await clock.advance(pause)
            if (buckets.delay('a') > 0) continue
            buckets.take('a')
            taken++
          }
          expect(taken).toBeLessThanOrEqual(amount + (clock.now() * amount) / window + 1e-3)
          await clock.advance(buckets.delay('a'))
          expect(buckets.delay('a')).toBe(0)
        },
      ),
    )
  })

  it('many clients use a limited amount of memory, and do not displace an active client', () => {
    const buckets = tokenBuckets({ amount: 1, window: 1000 }, { now: () => 0 }, 100)
    buckets.take('busy')
    for (let number = 0; number < 100_000; number++) {
      buckets.take(`hostile ${number}`)
      if (number % 50 === 0) buckets.take('busy')
    }
    expect(buckets.delay('busy')).toBeGreaterThan(1000)
    const known = Array.from({ length: 100_000 }, (_, number) => buckets.delay(`hostile ${number}`))
    expect(known.filter(delay => delay > 0)).toHaveLength(99)
  })
})
