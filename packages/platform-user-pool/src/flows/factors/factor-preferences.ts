import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Factor, Factors, StoredUser, User } from '../../store/user-pool-store.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { apply } from '../apply.ts'
import { factorChallenges } from './second-factors.ts'
import { factorDestination } from './sent-factors.ts'

/** A user's preferences for one second factor. */
export interface FactorPreference {
  readonly factor: Factor
  readonly isEnabled: boolean
  readonly isPreferred: boolean
}

/**
 * Enables and disables second factors. Factors that are not in the request stay unchanged.
 * @param byAdmin whether an administrator sets them. The service has other words for administrators.
 * @throws UserPoolError for a factor that the user has not set up or that the pool does not have, and for two preferred
 * factors
 */
export async function setPreferences(
  engine: EngineContext,
  pool: PoolSettings,
  found: StoredUser,
  wanted: readonly FactorPreference[],
  byAdmin: boolean,
): Promise<void> {
  const preferred = wanted.filter(({ isPreferred }) => isPreferred)
  if (preferred.length > 1) throw invalidParameter('Only one second factor can be preferred.')
  for (const { factor, isEnabled, isPreferred } of wanted) {
    if (isEnabled) refuseMissing(pool, found, factor, byAdmin)
    else if (isPreferred) throw invalidParameter('A second factor that is disabled cannot be preferred.')
  }
  const { revision: was, ...before } = found
  const factors: Factors = found.factors ?? { enabled: [] }
  const named = new Map(wanted.map(each => [each.factor, each]))
  const enabled = (['totp', 'sms', 'email'] as const).filter(
    factor => named.get(factor)?.isEnabled ?? factors.enabled.includes(factor),
  )
  const kept = factors.preferred
  const staysPreferred =
    kept !== undefined && named.get(kept)?.isPreferred !== false && enabled.includes(kept)
  const user: User = {
    ...before,
    factors: { ...factors, enabled, preferred: preferred[0]?.factor ?? (staysPreferred ? kept : undefined) },
    modified: engine.clock.now(),
  }
  await apply(engine, { pool: pool.id, now: user.modified, users: [{ user, was }] })
}

function refuseMissing({ mfa }: PoolSettings, user: User, factor: Factor, byAdmin: boolean): void {
  const missing = `User does not have delivery config set to turn on ${factorChallenges[factor]}`
  if (factor === 'totp') {
    if (user.factors?.totp === undefined)
      throw invalidParameter(byAdmin ? missing : 'User has not verified software token mfa')
    return
  }
  if (!mfa.by.includes(factor) && mfa.mode !== 'off') {
    const name = factor === 'sms' ? 'phone number' : 'email address'
    throw invalidParameter(`The user pool has no second factor by ${name}.`)
  }
  if (factorDestination(user, factor) === undefined) throw invalidParameter(missing)
}

/** Returns an account's second factors, apart from the authenticator. */
export function withoutToken({ enabled, preferred }: Factors): Factors {
  return {
    enabled: enabled.filter(each => each !== 'totp'),
    preferred: preferred === 'totp' ? undefined : preferred,
  }
}
