import { type Hint, isObject, kindOf, pointerTo } from '@signalbox/codec'
import { isPlainObject } from '@signalbox/codec/ready'
import { InvalidOptionError, InvalidResponseError, notAnAnswer, refuseUnknownOptions } from '@signalbox/core'
import type { Routes } from '../routing/route.ts'
import { authProgress, type FirstFactor } from './auth-progress.ts'
import type { Challenge } from './challenge.ts'
import { quotedOption } from './quoted-option.ts'

/** The options of `customAuth`. */
export interface CustomAuthOptions {
  /** The challenges in order. The user must answer all of them. */
  readonly challenges: readonly [Challenge, ...Challenge[]] | Hint<'write a list: challenges: [challenge]'>
  /** The number of attempts for each challenge. Default 1. */
  readonly maxAttempts?: number
  /**
   * Whether the flow begins with the password. `srp`, the default, refuses flows that begin without the password.
   * `none` refuses flows that begin with it. With `either`, the client chooses, so the challenges alone must be
   * sufficient proof.
   */
  readonly firstFactor?: FirstFactor
}

/** The three routes of custom authentication. Spread them into a route table. */
export type CustomAuthRoutes = Required<
  Pick<Routes, 'DefineAuthChallenge' | 'CreateAuthChallenge' | 'VerifyAuthChallengeResponse'>
>

// The name of the challenge is stored in this private parameter, because the event of the verify trigger has no field
// for it.
const marker = 'signalbox:challenge'

/**
 * Returns the routes of a custom authentication flow (docs/contract/user-pool.md#define-auth-challenge). For a user who
 * does not exist, the flow is the same as for an existing user, but fails instead of issuing tokens.
 *
 * @example
 * userPool({ ...customAuth({ challenges: [oneTimeCode({ send })], maxAttempts: 3 }) })
 * @throws InvalidOptionError immediately, for invalid options. The create route throws InvalidResponseError when `create`
 * returns anything but parameters
 */
export function customAuth(options: CustomAuthOptions): CustomAuthRoutes {
  refuseUnknownOptions('customAuth()', options, ['challenges', 'maxAttempts', 'firstFactor'])
  const { maxAttempts = 1, firstFactor = 'srp' } = options
  const challenges = options.challenges as readonly [Challenge, ...Challenge[]]
  check(challenges, maxAttempts, firstFactor)
  const flow = { challenges: challenges.length, maxAttempts, firstFactor }

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
      const created = await challenge.create(event, context, invocation)
      refuseNonParameters(created, challenge.name)
      const { publicParameters, privateParameters } = created
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

const parameterFields = ['publicParameters', 'privateParameters']

/**
 * Refuses what `create` returned, unless it has parameters and nothing else. A misspelt field would be lost, so that no
 * answer would be correct.
 */
function refuseNonParameters(created: unknown, name: string): void {
  const wrong = (pointer: string, expected: string, actual: string) =>
    new InvalidResponseError(`create of the challenge ${JSON.stringify(name)}`, [
      { pointer, expected, actual },
    ])
  if (!isObject(created)) throw wrong('', 'an object of parameters', kindOf(created))
  for (const [field, value] of Object.entries(created)) {
    if (!parameterFields.includes(field))
      throw wrong(pointerTo(field), `one of the fields ${parameterFields.join(', ')}`, 'a field')
    if (value !== undefined && value !== null && !isPlainObject(value))
      throw wrong(pointerTo(field), 'map of string to string', kindOf(value, 'another kind of object'))
  }
}

// Each call returns a new object, because middlewares may change the answers in events.
const fail = () => ({ issueTokens: false, failAuthentication: true })

// Returns parameters without the name of a challenge, so that no answer is correct.
const nothing = () => ({ publicChallengeParameters: {}, privateChallengeParameters: {} })

function check(challenges: readonly Challenge[], maxAttempts: number, firstFactor: FirstFactor): void {
  if (!Array.isArray(challenges) || challenges.length === 0) {
    throw new InvalidOptionError(
      'customAuth() needs a list of at least one challenge, such as challenges: [oneTimeCode(…)].',
    )
  }
  for (const [place, challenge] of challenges.entries()) refuseNonChallenge(challenge, place)
  const names = challenges.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) {
    throw new InvalidOptionError(`customAuth() has two challenges named ${JSON.stringify(twice)}.`)
  }
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new InvalidOptionError(
      `customAuth(): maxAttempts is a whole number from 1 up, not ${quotedOption(maxAttempts)}.`,
    )
  }
  if (!['srp', 'none', 'either'].includes(firstFactor)) {
    throw new InvalidOptionError(
      `customAuth(): firstFactor is srp, none or either, not ${quotedOption(firstFactor)}.`,
    )
  }
}

/** Throws for an invalid challenge. Each challenge needs a name, because the verify trigger finds it by name. */
function refuseNonChallenge(challenge: Partial<Challenge>, place: number): void {
  const where = `customAuth(): challenges[${place}]`
  if (typeof challenge === 'function') {
    throw new InvalidOptionError(`${where} is a function. Call it, as in oneTimeCode({ send }).`)
  }
  if (typeof challenge !== 'object' || challenge === null) {
    throw new InvalidOptionError(`${where} is not a challenge: expected { name, create, verify }.`)
  }
  if (typeof challenge.name !== 'string' || challenge.name === '') {
    throw new InvalidOptionError(`${where} has no name.`)
  }
  for (const step of ['create', 'verify'] as const) {
    if (typeof challenge[step] === 'function') continue
    throw new InvalidOptionError(`${where}, ${JSON.stringify(challenge.name)}, has no function ${step}.`)
  }
}
