import type { Engine } from '../engine.ts'
import { invalidParameter } from '../flows/accounts/accounts.ts'
import type { MadePool } from '../made-pools/made-pool.ts'

/**
 * A pool that was made by the API.
 * @throws UserPoolError for an unknown pool, and for a pool of the configuration, which the API does not change
 */
export function refuseConfigured(engine: Engine, id: string): MadePool {
  const made = engine.made.get(id)
  if (made !== undefined) return made
  const { name } = engine.poolOf(id)
  throw invalidParameter(
    `The user pool ${id} is ${name} of the configuration. Change it there: the API changes only pools that it made.`,
  )
}
