import { expect, it } from '@jest/globals'
import { fuzz } from './accounts.fuzz.ts'

it('accounts always equal those of a plain model, for any requests of clients and administrators', async () => {
  expect(await fuzz(300)).toMatch(/^30 sequences/)
}, 60_000)
