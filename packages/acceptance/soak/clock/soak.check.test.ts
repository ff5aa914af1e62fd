import { expect, it } from '@jest/globals'
import { clockSoak } from './soak.ts'

it('a wall clock that was ahead or behind is forgiven, even across restarts', async () => {
  const seed = Date.now() % 2 ** 31
  const { violations, throws } = await clockSoak({ throws: 3, seed, by: ['injected'] })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(throws).toBe(3)
})
