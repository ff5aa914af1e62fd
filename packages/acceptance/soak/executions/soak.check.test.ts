import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { executionSoak } from './soak.ts'

it('every execution ends once and right, even if boxes and the server are killed', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const { ended, violations } = await executionSoak({ executions: 20, killEvery: 8000, restarts: 1, seed })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(ended).toBe(20)
}, 400_000)
