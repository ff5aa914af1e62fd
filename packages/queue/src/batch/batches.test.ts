import { it } from '@jest/globals'
import fc from 'fast-check'
import { everyBatch } from './batches.fuzz.ts'

it('the response to any batch lists exactly the messages that were not handled, in order and in time', async () => {
  await fc.assert(everyBatch, { numRuns: 1500 })
})
