import fc from 'fast-check'
import { awsEvent, json } from '../../fixtures/arbitrary.ts'
import { fromAws, toAws } from '../index.ts'

/** Checks with many events that `toAws` reverses `fromAws`. Returns a summary. */
export function fuzz(runs: number, seed: number): string {
  fc.assert(
    fc.property(fc.oneof(awsEvent, json), event => {
      const neutral = fromAws(event)
      const text = JSON.stringify(event)
      return JSON.stringify(toAws(neutral)) === text && JSON.stringify(toAws(neutral, event)) === text
    }),
    { numRuns: runs, seed },
  )
  return `${runs} events there and back`
}
