import { type Meter, other } from '@signalbox/platform-runtime'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { UserPoolError } from '../user-pool-error.ts'

/** The number of pools with series of their own. */
const mostPools = 20

/** The result of a step: tokens or a browser session, the next challenge, a refusal, or a failure of the platform. */
const results = ['success', 'challenge', 'refused', 'error'] as const

/** Does a step of a sign-in, and counts its result. */
export type CountSignIn = <Done extends object>(
  pool: Pick<PoolSettings, 'id'>,
  step: () => Promise<Done>,
) => Promise<Done>

/** Returns a function that counts sign-ins. Pools that clients have created are `other`, because clients name them. */
export function signInCounts(
  meter: Meter | undefined,
  configured: readonly Pick<PoolSettings, 'id' | 'name'>[],
): CountSignIn {
  if (meter === undefined) return (_pool, step) => step()
  const steps = meter.counter(
    'signalbox_sign_in_steps_total',
    'Steps of sign-ins by pool and result: success, challenge (there is a next step), refused (such as a wrong password) or error.',
  )
  const countersOf = (pool: string) =>
    new Map(results.map(result => [result, steps.of({ pool, result })] as const))
  const known = new Map(configured.slice(0, mostPools).map(({ id, name }) => [id, countersOf(name)]))
  let others: ReturnType<typeof countersOf> | undefined
  const count = ({ id }: Pick<PoolSettings, 'id'>, result: (typeof results)[number]) => {
    const own = known.get(id)
    if (own === undefined) others ??= countersOf(other)
    ;(own ?? others)!.get(result)!()
  }
  return async (pool, step) => {
    try {
      const done = await step()
      count(pool, 'challenge' in done || 'ChallengeName' in done ? 'challenge' : 'success')
      return done
    } catch (error) {
      const isRefused = error instanceof UserPoolError && error.type !== 'InternalErrorException'
      count(pool, isRefused ? 'refused' : 'error')
      throw error
    }
  }
}
