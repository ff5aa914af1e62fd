import type { SignInResult } from '../../flows/sign-in/sign-in-result.ts'

/** Returns the tokens, or the next challenge, as clients see them. */
export function wireSignInResult(result: SignInResult): object {
  if ('tokens' in result) return { ChallengeParameters: {}, AuthenticationResult: result.tokens }
  if ('browser' in result) throw new Error('A program signed in like a page.')
  const { challenge, parameters, session, available } = result
  return {
    ChallengeName: challenge,
    ChallengeParameters: parameters,
    ...(available !== undefined && { AvailableChallenges: available }),
    ...(session !== undefined && { Session: session }),
  }
}
