import { refuseUnknownOptions } from '@signalbox/core/base'
import {
  createAuthChallengeEvent,
  defineAuthChallengeEvent,
  verifyAuthChallengeEvent,
} from './trigger-event.ts'

/** One step of a sign-in, as a client sees it. */
export interface SignInStep {
  /** The answer of the DefineAuthChallenge trigger. */
  readonly asked: unknown
  /** The public parameters of the challenge. */
  readonly shown?: unknown
  /** Whether the answer was correct. */
  readonly right?: unknown
}

/** Options of `signIn`. */
export interface SignInOptions {
  /** Whether the user does not exist. Default false. */
  readonly userNotFound?: boolean
  /** Whether the client begins with the correct password. Default true. */
  readonly srp?: boolean
  /** The user who signs in. Default `ada`. */
  readonly userName?: string
}

type Response = Readonly<Record<string, unknown>>
type Parameters = Record<string, string>

/**
 * Runs a custom authentication flow to its end, as a user pool would, and returns the steps of the flow. The client
 * gives one of the answers to each challenge, and empty answers when none are left.
 * @throws InvalidOptionError for an unknown option
 * @example
 * ```ts
 * import { signalbox } from '@signalbox/core'
 * import { invocationContext } from '@signalbox/core/testing'
 * import { customAuth, oneTimeCode, userPool } from '@signalbox/user-pool'
 * import { signIn } from '@signalbox/user-pool/testing'
 *
 * let sent = ''
 * const handler = signalbox(
 *   userPool(customAuth({ challenges: [oneTimeCode({ send: code => void (sent = code) })], maxAttempts: 3 })),
 * )
 * const steps = await signIn(event => handler(event, invocationContext()), ['a wrong code'])
 * console.log(steps.map(({ right }) => right), sent)
 * ```
 */
export async function signIn(
  handler: (event: unknown) => Promise<unknown>,
  answers: readonly string[],
  options: SignInOptions = {},
): Promise<readonly SignInStep[]> {
  refuseUnknownOptions('signIn()', options, ['userNotFound', 'srp', 'userName'])
  const { userNotFound = false, srp = true, userName = 'ada' } = options
  const answer = async (event: unknown) => ({
    ...((await handler(event)) as { response: Response }).response,
  })
  const session: { challengeName: string; challengeResult: boolean; challengeMetadata?: string | null }[] = []
  if (srp) session.push({ challengeName: 'SRP_A', challengeResult: true })
  const steps: SignInStep[] = []
  const left = [...answers]
  for (;;) {
    const asked = await answer(defineAuthChallengeEvent({ session, userNotFound }, { userName }))
    const challengeName = asked.challengeName as string | undefined
    if (challengeName === 'PASSWORD_VERIFIER') {
      steps.push({ asked })
      session.push({ challengeName, challengeResult: true })
      continue
    }
    if (challengeName === undefined) return [...steps, { asked }]
    const created = await answer(
      createAuthChallengeEvent({ session, userNotFound, challengeName }, { userName }),
    )
    const verified = await answer(
      verifyAuthChallengeEvent(
        {
          privateChallengeParameters: created.privateChallengeParameters as Parameters,
          challengeAnswer: left.shift() ?? '',
          userNotFound,
        },
        { userName },
      ),
    )
    steps.push({ asked, shown: created.publicChallengeParameters, right: verified.answerCorrect })
    session.push({
      challengeName,
      challengeResult: verified.answerCorrect === true,
      challengeMetadata: (created.challengeMetadata as string | undefined) ?? null,
    })
  }
}
