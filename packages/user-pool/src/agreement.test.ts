import { describe, expect, it } from '@jest/globals'
import { compareSides, fuzz } from './agreement.fuzz.ts'
import { preSignUpEvent, verifyAuthChallengeEvent } from './testing/index.ts'

describe('the function and the platform', () => {
  it.each([
    ['agree on a valid answer', { autoConfirmUser: true }, 'the same'],
    ['agree on an answer with a wrong type', { autoConfirmUser: 'yes' }, 'refused by both'],
    [
      'differ about a misspelt field, which only the function refuses',
      { autoConfrimUser: true },
      'refused, since it has a field that the trigger does not have',
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await compareSides(preSignUpEvent(), answer)).toBe(expected)
  })

  it('both refuse an event in which a route has changed the userName', async () => {
    expect(await compareSides(verifyAuthChallengeEvent(), { answerCorrect: true }, 'userName')).toBe(
      'refused by both',
    )
  })

  it('agree on any answer', async () => {
    expect(await fuzz(500)).toContain('the same')
  })
})
