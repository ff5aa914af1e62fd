import { expect, it } from '@jest/globals'
import { fuzz } from './accounts.fuzz.ts'

it('after any sequence of client and administrator requests, a pool has the same accounts as the model', async () => {
  expect(await fuzz(300)).toMatch(/^\d+ sequences/)
})
