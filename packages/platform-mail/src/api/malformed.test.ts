import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('the mail listener replies to malformed input, and survives broken connections', async () => {
  expect(await fuzz(1000, 1870228053)).toMatch(
    /^100 malformed dialogues, each answered; \d+ mails in them; \d+ broken off; /,
  )
})
