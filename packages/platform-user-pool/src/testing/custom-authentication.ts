import { type Answers, type AnyEvent, clientId as ClientId, type poolSetup } from './pool-setup.ts'

/** Returns the function that decides the next step of a custom authentication by its session. */
export const define = (
  decide: (session: readonly { challengeName: string; challengeResult: boolean }[]) => object,
) => ({
  DefineAuthChallenge_Authentication: ({ request }: AnyEvent) => ({
    issueTokens: false,
    failAuthentication: false,
    ...decide(request.session as never),
  }),
})

/** The functions of a custom authentication that asks one question. */
export const question: Answers = {
  ...define(session =>
    session.length === 0
      ? { challengeName: 'CUSTOM_CHALLENGE' }
      : session.at(-1)!.challengeResult
        ? { issueTokens: true }
        : { failAuthentication: true },
  ),
  CreateAuthChallenge_Authentication: () => ({
    publicChallengeParameters: { question: 'name of the cat' },
    privateChallengeParameters: { answer: 'Tom' },
    challengeMetadata: 'CAT',
  }),
  VerifyAuthChallengeResponse_Authentication: ({ request }) => ({
    answerCorrect:
      (request.privateChallengeParameters as { answer: string }).answer === request.challengeAnswer,
  }),
}

/** Begins a custom authentication of the user ann. */
export const custom = (setup: Awaited<ReturnType<typeof poolSetup>>, parameters: object = {}) =>
  setup.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'CUSTOM_AUTH',
    AuthParameters: { USERNAME: 'ann', ...parameters },
  })

/** Answers the question of a custom authentication as the user ann. */
export const answer = (
  setup: Awaited<ReturnType<typeof poolSetup>>,
  Session: string,
  ANSWER: string,
  more: object = {},
) =>
  setup.call('RespondToAuthChallenge', {
    ClientId,
    ChallengeName: 'CUSTOM_CHALLENGE',
    Session,
    ChallengeResponses: { USERNAME: 'ann', ANSWER },
    ...more,
  })
