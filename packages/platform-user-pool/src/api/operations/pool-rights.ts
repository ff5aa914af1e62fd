import type { ResourceRights } from '@signalbox/platform-runtime/access'
import type { Engine } from '../../engine.ts'

/**
 * The rights to user pools. A right can name the id of a pool that does not exist yet, because clients can create
 * pools.
 */
export const poolRights: ResourceRights = { collection: 'userPools', names: ['administer'] }

/**
 * Returns the name by which rights refer to a pool: its name in the configuration, or the id of a pool that was
 * created through the API. Clients choose the names of pools that they create, so rights cannot rely on these names.
 */
export function poolResource(
  { pools, createdPools }: Pick<Engine, 'pools' | 'createdPools'>,
  id: string,
): string {
  if (createdPools.get(id) !== undefined) return id
  return pools.find(each => each.id === id)?.name ?? id
}
