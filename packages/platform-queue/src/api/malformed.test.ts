import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('the JSON protocol answers any request with a response or a protocol error', async () => {
  expect(await fuzz(600)).toMatch(/^\d+ of 600 requests refused/)
})
