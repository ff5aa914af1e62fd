import { expect, it } from '@jest/globals'
import { fuzz } from './early-crash.fuzz.ts'

it('a mail that is decided on before the reply has one decision and one effect, wherever the process crashes', async () => {
  expect(await fuzz(150)).toMatch(/^150 sequences, \d+ mails, \d+ deaths, \d+ invocations$/)
})
