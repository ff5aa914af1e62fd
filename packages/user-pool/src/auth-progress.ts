import type { TriggerEvent } from './contract/index.ts'

/** What a session amounts to: what comes next in the flow. */
export type Progress =
  /** The password is still to be proved. */
  | { readonly next: 'password' }
  /** The challenge of this position is to be put. */
  | { readonly next: 'challenge'; readonly position: number }
  /** Everything was answered. */
  | { readonly next: 'tokens' }
  /** Nothing can come of this session any more. */
  | { readonly next: 'failure' }

/** How a flow begins: with the password (SRP), without one, or either way, as the client likes. */
export type Prelude = 'srp' | 'none' | 'either'

type Session = TriggerEvent<'DefineAuthChallenge_Authentication'>['request']['session']

/**
 * Where a session stands in a flow of `challenges` challenges, each of which may be tried `maxAttempts` times.
 * With one challenge, one attempt and the SRP prelude this is the contract's decision pattern to the letter
 * (contract A, define auth challenge): every session that the pattern doesn't name has failed. The pattern looks at
 * the latest item alone, what came before having been decided before. Flows that it doesn't describe look at the
 * whole session, and trust none that begins as they would not have let it.
 */
export function authProgress(
  session: Session,
  flow: { readonly challenges: number; readonly maxAttempts: number; readonly prelude: Prelude },
): Progress {
  const begun = flow.prelude === 'srp' || (flow.prelude === 'either' && session[0]?.challengeName === 'SRP_A')
  if (!begun) return afterPrelude(session, 0, flow)
  const [first, second] = session
  const srp = first?.challengeName === 'SRP_A'
  if (session.length < 2) return srp ? password : failure
  const proved = second?.challengeName === 'PASSWORD_VERIFIER' && second.challengeResult
  const described = flow.challenges === 1 && flow.maxAttempts === 1 && flow.prelude === 'srp'
  const trusted = described ? proved || session.length > 2 : srp && proved
  return trusted ? afterPrelude(session, 2, flow) : failure
}

function afterPrelude(
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
