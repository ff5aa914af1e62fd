import type { TriggerEvent } from '../contract/index.ts'

/** The next step of a custom authentication flow. */
export type Progress =
  /** The user must prove knowledge of the password. */
  | { readonly next: 'password' }
  /** The user must answer the challenge at this position. */
  | { readonly next: 'challenge'; readonly position: number }
  /** Every challenge was answered correctly. */
  | { readonly next: 'tokens' }
  /** The sign-in has failed. */
  | { readonly next: 'failure' }

/** Whether a flow begins with the password (SRP), begins without it, or leaves the choice to the client. */
export type FirstFactor = 'srp' | 'none' | 'either'

type Session = TriggerEvent<'DefineAuthChallenge_Authentication'>['request']['session']

/**
 * Returns the step that follows a session, in a flow with the given challenges, attempts and first factor.
 *
 * With one challenge, one attempt and SRP as the first factor, the result follows the decision pattern of the contract
 * exactly (docs/contract/user-pool.md#define-auth-challenge), so a session that the pattern does not list has failed.
 * The pattern reads only the latest item, because the earlier items were checked in earlier steps. Other flows read the
 * whole session, and a session that they cannot produce has failed.
 */
export function authProgress(
  session: Session,
  flow: { readonly challenges: number; readonly maxAttempts: number; readonly firstFactor: FirstFactor },
): Progress {
  const begun =
    flow.firstFactor === 'srp' || (flow.firstFactor === 'either' && session[0]?.challengeName === 'SRP_A')
  if (!begun) return afterFirstFactor(session, 0, flow)
  const [first, second] = session
  const srp = first?.challengeName === 'SRP_A'
  if (session.length < 2) return srp ? password : failure
  const proved = second?.challengeName === 'PASSWORD_VERIFIER' && second.challengeResult
  const described = flow.challenges === 1 && flow.maxAttempts === 1 && flow.firstFactor === 'srp'
  const trusted = described ? proved || session.length > 2 : srp && proved
  return trusted ? afterFirstFactor(session, 2, flow) : failure
}

function afterFirstFactor(
  session: Session,
  start: number,
  { challenges, maxAttempts }: { readonly challenges: number; readonly maxAttempts: number },
): Progress {
  let position = 0
  let attempts = 0
  for (const { challengeName, challengeResult } of session.slice(start)) {
    if (challengeName !== 'CUSTOM_CHALLENGE' || position === challenges) return failure
    attempts = challengeResult ? 0 : attempts + 1
    if (challengeResult) position++
    if (attempts === maxAttempts) return failure
  }
  return position === challenges ? tokens : { next: 'challenge', position }
}

const password: Progress = { next: 'password' }
const tokens: Progress = { next: 'tokens' }
const failure: Progress = { next: 'failure' }
