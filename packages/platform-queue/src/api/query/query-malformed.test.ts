import { expect, it } from '@jest/globals'
import { fuzz } from './query-malformed.fuzz.ts'

it('answers whatever form it is sent with XML and the protocol’s own errors, and never fails itself', async () => {
  expect(await fuzz(300)).toMatch(/^\d+ of 328 requests refused/)
}, 120_000)
