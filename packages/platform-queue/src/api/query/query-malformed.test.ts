import { expect, it } from '@jest/globals'
import { fuzz } from './query-malformed.fuzz.ts'

it('the query protocol answers any form body with a response or a protocol error in XML', async () => {
  expect(await fuzz(300)).toMatch(/^\d+ of 328 requests refused/)
})
