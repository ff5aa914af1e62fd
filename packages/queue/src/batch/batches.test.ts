import { it } from '@jest/globals'
import fc from 'fast-check'
import { everyBatch } from './batches.fuzz.ts'

it('any batch is answered for exactly, in order, within its concurrency and in time', async () => {
  await fc.assert(everyBatch, { numRuns: 1500 })
})
