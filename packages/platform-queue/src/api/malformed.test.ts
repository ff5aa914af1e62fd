import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('answers whatever is asked with the protocol’s own errors, and never fails itself', async () => {
  expect(await fuzz(600)).toMatch(/^\d+ of 600 requests refused/)
}, 120_000)
