import { expect, it } from '@jest/globals'
import { fuzz } from './accounts.fuzz.ts'

it('the accounts of a pool equal those of a model after any requests of clients and administrators', async () => {
  expect(await fuzz(300)).toMatch(/^30 sequences/)
}, 60_000)
