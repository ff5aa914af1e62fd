import type { Answers } from './pool-setup.ts'

/**
 * Functions that ask up to four challenges until one of them is answered with 7. A client that begins with SRP has to
 * prove the password first.
 */
export const challenges: Answers = {
  DefineAuthChallenge_Authentication({ request }) {
    const rounds = request.session as readonly { challengeName: string; challengeResult: boolean }[]
    const { challengeName, challengeResult } = rounds.at(-1) ?? {}
    const answer = { issueTokens: false, failAuthentication: false }
    if (challengeName === 'SRP_A') return { ...answer, challengeName: 'PASSWORD_VERIFIER' }
    if (challengeName === 'CUSTOM_CHALLENGE' && challengeResult) return { ...answer, issueTokens: true }
    if (challengeName === 'PASSWORD_VERIFIER' && !challengeResult)
      return { ...answer, failAuthentication: true }
    if (rounds.length === 4) return { ...answer, failAuthentication: true }
    return { ...answer, challengeName: 'CUSTOM_CHALLENGE' }
  },
  CreateAuthChallenge_Authentication: () => ({
    publicChallengeParameters: { hint: 'a number' },
    privateChallengeParameters: { answer: '7' },
    challengeMetadata: 'NUMBER',
  }),
  VerifyAuthChallengeResponse_Authentication: ({ request }) => ({
    answerCorrect:
      request.challengeAnswer === (request.privateChallengeParameters as { answer: string }).answer,
  }),
}
