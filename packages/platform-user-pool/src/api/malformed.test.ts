import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('the listener of user pools answers any malformed request with an error of the service', async () => {
  expect(await fuzz(300)).toMatch(/^\d+ of 300 requests refused/)
}, 120_000)
