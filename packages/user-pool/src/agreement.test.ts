import { describe, expect, it } from '@jest/globals'
import { compareSides, fuzz } from './agreement.fuzz.ts'
import { preSignUpEvent, verifyAuthChallengeEvent } from './testing/index.ts'

describe('the function and the platform agree', () => {
  it.each([
    ['on a right answer', { autoConfirmUser: true }, 'the same'],
    ['on an answer of a wrong type', { autoConfirmUser: 'yes' }, 'refused by both'],
    [
      'on all but a misspelt field',
      { autoConfrimUser: true },
      'refused, since it has a field that the trigger does not have',
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await compareSides(preSignUpEvent(), answer)).toBe(expected)
  })

  it('on an event whose identity a route changed', async () => {
    expect(await compareSides(verifyAuthChallengeEvent(), { answerCorrect: true }, 'userName')).toBe(
      'refused by both',
    )
  })

  it('on any answer', async () => {
    expect(await fuzz(500)).toContain('the same')
  })
})
