import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { clockSoak } from './soak.ts'
import { type Means, means } from './throw-clock.ts'

for (const by of ['injected', 'libfaketime'] satisfies readonly Means[]) {
  const works = means.includes(by)
  const withMeans = works ? it : it.skip
  withMeans(
    `a wall clock that was ahead or behind is forgiven, even across restarts: ${by}${works ? '' : ` (skipped: needs ${by})`}`,
    async () => {
      const seed = fc.readConfigureGlobal().seed!
      const { violations, throws } = await clockSoak({ throws: 3, seed, by: [by] })
      expect({ seed, violations }).toEqual({ seed, violations: [] })
      expect(throws).toBe(3)
    },
  )
}
