import { expect, it } from '@jest/globals'
import { inFlight } from './in-flight.ts'

it('underWay is settled whenever nothing is under way', async () => {
  const work = inFlight()
  await work.settled()
  work.begin()
  work.begin()
  const told: string[] = []
  const both = [work.settled().then(() => told.push('a')), work.settled().then(() => told.push('b'))]
  work.end()
  await Promise.resolve()
  expect(told).toEqual([])
  work.end()
  await Promise.all(both)
  expect(told).toEqual(['a', 'b'])
  await work.settled()
})
