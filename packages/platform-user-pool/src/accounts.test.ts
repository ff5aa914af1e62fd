import { expect, it } from '@jest/globals'
import { fuzz } from './accounts.fuzz.ts'

it('accounts are what a plain model says, whatever clients and administrators do', async () => {
  expect(await fuzz(300)).toMatch(/^30 sequences/)
}, 60_000)
