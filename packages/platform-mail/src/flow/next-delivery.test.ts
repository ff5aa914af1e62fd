import { expect, it } from '@jest/globals'
import { nextDelivery } from './next-delivery.ts'

const minute = 60_000
const day = 24 * 60 * minute

it('a delivery is retried after 1, 5, 15, 30 and 60 minutes, then every two hours, and at its deadline', () => {
  const times: number[] = []
  let now: number | undefined = 0
  for (let attempts = 1; now !== undefined; attempts++) {
    times.push(now / minute)
    now = nextDelivery(attempts, 0, day, now)
  }
  expect(times.slice(0, 8)).toEqual([0, 1, 6, 21, 51, 111, 231, 351])
  expect(times.slice(-2)).toEqual([1431, 1440])
})

it('a delivery is given up if the platform was stopped for longer than the retry time', () => {
  expect(nextDelivery(1, 0, day, 2 * day)).toBeUndefined()
})
