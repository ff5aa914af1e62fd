import { it } from '@jest/globals'
import fc from 'fast-check'
import { everyBatch } from './batches.fuzz.ts'

it('the response is in time for any batch, and lists exactly the unhandled messages in order', async () => {
  await fc.assert(everyBatch, { numRuns: 1500 })
})
