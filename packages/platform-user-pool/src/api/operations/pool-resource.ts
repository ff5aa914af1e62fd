import type { Engine } from '../../engine.ts'

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
