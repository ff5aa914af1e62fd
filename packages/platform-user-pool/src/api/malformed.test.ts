import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('answers whatever is asked with errors of the service, and never fails itself', async () => {
  expect(await fuzz(600)).toMatch(/^\d+ of 600 requests refused/)
}, 60_000)
