import { expect, it } from '@jest/globals'
import { inFlight } from './in-flight.ts'

it('inFlight().settled() resolves when all work has settled', async () => {
  const work = inFlight()
  await work.settled()
  work.begin()
  work.begin()
  const resolved: string[] = []
  const both = [work.settled().then(() => resolved.push('a')), work.settled().then(() => resolved.push('b'))]
  work.end()
  await Promise.resolve()
  expect(resolved).toEqual([])
  work.end()
  await Promise.all(both)
  expect(resolved).toEqual(['a', 'b'])
  await work.settled()
})
