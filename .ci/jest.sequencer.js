// Starts the slowest test files first, so that none of them is left over for one core at the end. On a new checkout, where
// no durations are known, these are the files that only `npm run check` runs.
import Sequencer from '@jest/test-sequencer'

const isSlow = ({ path }) => path.endsWith('.check.test.ts')

export default class extends (Sequencer.default ?? Sequencer) {
  sort(tests) {
    const sorted = super.sort(tests)
    return sorted.some(({ duration }) => duration !== undefined)
      ? sorted
      : sorted.toSorted((one, other) => isSlow(other) - isSlow(one))
  }
}
