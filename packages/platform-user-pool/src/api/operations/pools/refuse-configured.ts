import type { CreatedPool } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../users/attributes.ts'

/**
 * Returns a pool created through the API.
 * @throws UserPoolError for an unknown pool, and for a configured pool, which the API cannot change
 */
export function refuseConfigured(engine: Engine, id: string): CreatedPool {
  const createdPool = engine.createdPools.get(id)
  if (createdPool !== undefined) return createdPool
  const { name } = engine.poolOf(id)
  throw invalidParameter(
    `The user pool ${id} is ${name} of the configuration. Change it there: the API changes only pools that it created.`,
  )
}
