import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { families } from './functions.ts'
import { eventSoak } from './soak.ts'

const isWhole = process.env.CHECK === '1'
const events = isWhole ? 20_000 : 3000

it(`nothing of one of ${events} events reaches another while functions handle many at once`, async () => {
  const seed = fc.readConfigureGlobal().seed!
  const found = await eventSoak({ events, seed })
  expect({ seed, violations: found.violations.slice(0, 10) }).toEqual({ seed, violations: [] })
  expect(found.most).toBeGreaterThan(150)
  // Every family fails, is abandoned and comes twice often enough to count.
  for (const family of families) expect(found.families[family]).toBeGreaterThan(events / 6)
  expect(found.calls).toBeGreaterThan(events)
  expect(found.spans).toBeGreaterThan(events)
  expect(found.lines).toBeGreaterThan(events)
  expect(found.failed).toBeGreaterThan(events / 20)
  expect(found.abandoned).toBeGreaterThan(events / 100)
})
