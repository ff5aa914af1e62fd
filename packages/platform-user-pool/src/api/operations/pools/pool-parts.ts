import type { PoolPart } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { refuseConfigured } from './refuse-configured.ts'

/** The parts of a created pool that have names. */
type Kind = 'resourceServers' | 'identityProviders'

export function partOf(engine: Engine, poolId: string, kind: Kind, name: string): PoolPart {
  const found = refuseConfigured(engine, poolId)[kind].find(each => each.name === name)
  if (found === undefined) throw missing(kind, name)
  return found
}

export function missing(kind: Kind | 'domain', name: string): UserPoolError {
  const what = {
    resourceServers: 'Resource server',
    identityProviders: 'Identity provider',
    domain: 'Domain',
  }[kind]
  return new UserPoolError('ResourceNotFoundException', `${what} ${name} does not exist.`)
}

/**
 * Adds a part to a pool.
 * @param taken returns the error for a name that a part of this kind has already
 */
export async function addPart(
  engine: Engine,
  poolId: string,
  kind: Kind,
  name: string,
  requested: PoolPart['requested'],
  taken: () => UserPoolError,
): Promise<PoolPart> {
  refuseConfigured(engine, poolId)
  const now = engine.clock.now()
  const part: PoolPart = { name, created: now, modified: now, requested }
  await engine.createdPools.change(poolId, createdPool => {
    if (createdPool[kind].some(each => each.name === name)) throw taken()
    return { ...createdPool, [kind]: [...createdPool[kind], part] }
  })
  return part
}

export async function updatePart(
  engine: Engine,
  poolId: string,
  kind: Kind,
  name: string,
  requested: PoolPart['requested'],
): Promise<PoolPart> {
  partOf(engine, poolId, kind, name)
  const now = engine.clock.now()
  await engine.createdPools.change(poolId, createdPool => ({
    ...createdPool,
    [kind]: createdPool[kind].map(each =>
      each.name === name ? { ...each, modified: now, requested: { ...each.requested, ...requested } } : each,
    ),
  }))
  return partOf(engine, poolId, kind, name)
}

export async function removePart(engine: Engine, poolId: string, kind: Kind, name: string): Promise<void> {
  partOf(engine, poolId, kind, name)
  await engine.createdPools.change(poolId, createdPool => ({
    ...createdPool,
    [kind]: createdPool[kind].filter(each => each.name !== name),
  }))
}
