import { expect, it } from '@jest/globals'
import { fuzz } from './crash.fuzz.ts'

it('no mail is lost, decided twice or delivered twice, wherever the process crashes', async () => {
  expect(await fuzz(200)).toMatch(/^200 sequences, \d+ mails, \d+ deaths, \d+ reports$/)
})
