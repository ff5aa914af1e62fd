import type { PoolSettings } from '../../../config/user-pool-settings.ts'
import type { PoolPart } from '../../../created-pools/created-pool.ts'
import { type omittedFields, updatedFields } from '../../../created-pools/omitted-fields.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { refuseConfigured } from './refuse-configured.ts'

/** The parts of a created pool that have names. */
type Kind = 'resourceServers' | 'identityProviders'

function partOf(engine: Engine, poolId: string, kind: Kind, name: string): PoolPart {
  const found = refuseConfigured(engine, poolId)[kind].find(each => each.name === name)
  if (found === undefined) throw missing(kind, name)
  return found
}

/** A part of a pool as clients see it. The parts of configured pools have no times. */
export type ShownPart = Pick<PoolPart, 'name' | 'requested'> & Partial<Pick<PoolPart, 'created' | 'modified'>>

/**
 * Returns the parts of a pool, which is created through the API or configured.
 * @throws UserPoolError for an unknown pool
 */
export function partsOf(engine: Engine, poolId: string, kind: Kind): readonly ShownPart[] {
  const createdPool = engine.createdPools.get(poolId)
  return createdPool === undefined ? configuredParts[kind](engine.poolOf(poolId)) : createdPool[kind]
}

/** Returns one part of a pool, or throws a UserPoolError if the pool has no part with this name. */
export function shownPart(engine: Engine, poolId: string, kind: Kind, name: string): ShownPart {
  const found = partsOf(engine, poolId, kind).find(each => each.name === name)
  if (found === undefined) throw missing(kind, name)
  return found
}

/** The parts of a configured pool in the form of requests. The secrets of providers are left out. */
const configuredParts: { readonly [K in Kind]: (pool: PoolSettings) => readonly ShownPart[] } = {
  resourceServers: ({ resourceServers }) =>
    resourceServers.map(({ identifier, name, scopes }) => ({
      name: identifier,
      requested: {
        Name: name,
        Scopes: scopes.map(each => ({ ScopeName: each.name, ScopeDescription: each.description })),
      },
    })),
  identityProviders: ({ identityProviders }) =>
    identityProviders.map(({ name, issuer, clientId, scopes, attributes, identifiers }) => ({
      name,
      requested: {
        ProviderType: 'OIDC',
        ProviderDetails: { client_id: clientId, oidc_issuer: issuer, authorize_scopes: scopes.join(' ') },
        AttributeMapping: attributes,
        IdpIdentifiers: identifiers,
      },
    })),
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

/** The updates of parts. */
const updates = {
  resourceServers: 'UpdateResourceServer',
  identityProviders: 'UpdateIdentityProvider',
} as const satisfies { readonly [K in Kind]: keyof typeof omittedFields }

export async function updatePart(
  engine: Engine,
  poolId: string,
  kind: Kind,
  name: string,
  request: PoolPart['requested'],
): Promise<PoolPart> {
  partOf(engine, poolId, kind, name)
  const now = engine.clock.now()
  await engine.createdPools.change(poolId, createdPool => ({
    ...createdPool,
    [kind]: createdPool[kind].map(each =>
      each.name === name
        ? { ...each, modified: now, requested: updatedFields(updates[kind], each.requested, request) }
        : each,
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
