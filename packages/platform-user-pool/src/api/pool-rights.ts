import type { ResourceRights } from '@signalbox/platform-runtime/access'
import type { Engine } from '../engine.ts'

/** The rights over user pools. Clients can create pools, so that a right may name the id of a later one. */
export const poolRights: ResourceRights = { collection: 'userPools', names: ['administer'] }

/**
 * Returns the name of a pool in rights: its name in the configuration. A pool that the API created has its id, because
 * clients choose its name.
 */
export function poolResource(
  { pools, createdPools }: Pick<Engine, 'pools' | 'createdPools'>,
  id: string,
): string {
  if (createdPools.get(id) !== undefined) return id
  return pools.find(each => each.id === id)?.name ?? id
}
