import { expect, it } from '@jest/globals'
import { fuzz } from './malformed.fuzz.ts'

it('answers each of many malformed dialogues, and goes on after those that break off', async () => {
  expect(await fuzz(1000, 1870228053)).toMatch(
    /^100 malformed dialogues, each answered; \d+ mails in them; \d+ broken off; /,
  )
})
