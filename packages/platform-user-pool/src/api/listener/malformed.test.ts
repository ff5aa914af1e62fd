import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('the user-pool listener answers any malformed request with an error in Cognito’s format', async () => {
  expect(await fuzz(300)).toMatch(/^\d+ of 300 requests refused/)
})
