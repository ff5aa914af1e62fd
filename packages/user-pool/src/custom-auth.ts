import { InvalidOptionError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import { authProgress, type Prelude } from './auth-progress.ts'
import type { Challenge } from './challenge.ts'
import type { Routes } from './route.ts'
import { shown } from './shown.ts'

/** How users prove who they are. */
export interface CustomAuthOptions {
  /** Put one after the other, in this order; all have to be answered. */
  readonly challenges: readonly [Challenge, ...Challenge[]]
  /** How often each challenge may be tried. Default 1. */
  readonly maxAttempts?: number
  /**
   * Whether the flow begins with the password: `srp`, the default, fails every flow that doesn't; `none` fails
   * every flow that does; `either` leaves it to the client, so challenges alone must be proof enough.
   */
  readonly prelude?: Prelude
}

/** The three routes of custom authentication, to be spread into a route table. */
export type CustomAuthRoutes = Required<
  Pick<Routes, 'DefineAuthChallenge' | 'CreateAuthChallenge' | 'VerifyAuthChallengeResponse'>
>

// Which challenge the private parameters belong to: the verify event doesn't say it any other way.
const marker = 'signalbox:challenge'

/**
 * The routes of a custom authentication flow (contract A, custom authentication). For a user who doesn't exist
 * everything runs as for one who does, and fails where tokens would be issued.
 *
 * @throws InvalidOptionError at once, for options that make no sense
 */
export function customAuth(options: CustomAuthOptions): CustomAuthRoutes {
  refuseUnknownOptions('customAuth()', options, ['challenges', 'maxAttempts', 'prelude'])
  const { challenges, maxAttempts = 1, prelude = 'srp' } = options
  check(challenges, maxAttempts, prelude)
  const flow = { challenges: challenges.length, maxAttempts, prelude }

  return notAnAnswer('a table of routes', {
    DefineAuthChallenge({ request }) {
      const progress = authProgress(request.session, flow)
      switch (progress.next) {
        case 'password':
          return { challengeName: 'PASSWORD_VERIFIER', issueTokens: false, failAuthentication: false }
        case 'challenge':
          return { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }
        case 'tokens':
          return request.userNotFound === true ? fail() : { issueTokens: true, failAuthentication: false }
        case 'failure':
          return fail()
      }
    },

    async CreateAuthChallenge(event, context, invocation) {
      const { session, challengeName } = event.request
      const progress = authProgress(session, flow)
      if (challengeName !== 'CUSTOM_CHALLENGE' || progress.next !== 'challenge') return nothing()
      const challenge = challenges[progress.position]!
      const { publicParameters, privateParameters } = await challenge.create(event, context, invocation)
      return {
        publicChallengeParameters: { ...publicParameters },
        privateChallengeParameters: { ...privateParameters, [marker]: challenge.name },
        challengeMetadata: challenge.name,
      }
    },

    async VerifyAuthChallengeResponse(event, context, invocation) {
      const { [marker]: name, ...rest } = event.request.privateChallengeParameters
      const challenge = challenges.find(candidate => candidate.name === name)
      if (challenge === undefined) return { answerCorrect: false }
      const privateParameters = rest as Readonly<Record<string, string>>
      const attempt = { answer: event.request.challengeAnswer, privateParameters, event }
      return { answerCorrect: (await challenge.verify(attempt, context, invocation)) === true }
    },
  })
}

// New ones every time: answers become part of events, which middlewares may change.
const fail = () => ({ issueTokens: false, failAuthentication: true })

// What cannot be verified, so that nothing comes of a challenge that should not have been put.
const nothing = () => ({ publicChallengeParameters: {}, privateChallengeParameters: {} })

function check(challenges: readonly Challenge[], maxAttempts: number, prelude: Prelude): void {
  if (!Array.isArray(challenges) || challenges.length === 0) {
    throw new InvalidOptionError('customAuth() needs at least one challenge, such as oneTimeCode(…).')
  }
  for (const [place, challenge] of challenges.entries()) refuseNonChallenge(challenge, place)
  const names = challenges.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) {
    throw new InvalidOptionError(`customAuth() has two challenges named ${JSON.stringify(twice)}.`)
  }
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new InvalidOptionError(
      `customAuth(): maxAttempts is a whole number from 1 up, not ${shown(maxAttempts)}.`,
    )
  }
  if (!['srp', 'none', 'either'].includes(prelude)) {
    throw new InvalidOptionError(`customAuth(): prelude is srp, none or either, not ${shown(prelude)}.`)
  }
}

/** A challenge without a name would verify what was never put. */
function refuseNonChallenge(challenge: Partial<Challenge>, place: number): void {
  const where = `customAuth(): challenges[${place}]`
  if (typeof challenge === 'function') {
    throw new InvalidOptionError(`${where} is a function. Call it, as in oneTimeCode({ send }).`)
  }
  if (typeof challenge !== 'object' || challenge === null) {
    throw new InvalidOptionError(`${where} is no challenge, which is { name, create, verify }.`)
  }
  if (typeof challenge.name !== 'string' || challenge.name === '') {
    throw new InvalidOptionError(`${where} has no name.`)
  }
  for (const step of ['create', 'verify'] as const) {
    if (typeof challenge[step] === 'function') continue
    throw new InvalidOptionError(`${where}, ${JSON.stringify(challenge.name)}, has no function ${step}.`)
  }
}
