import { expect, it } from '@jest/globals'
import { fuzz } from './crash.fuzz.ts'

it('mail is neither lost nor decided or delivered twice, wherever the process ends', async () => {
  expect(await fuzz(200)).toMatch(/^200 sequences, \d+ mails, \d+ deaths, \d+ reports$/)
})
