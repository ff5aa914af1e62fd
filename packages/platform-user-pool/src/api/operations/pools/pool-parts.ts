import * as t from 'io-ts'
import type { CreatedPool, PoolPart } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../flows/accounts/accounts.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }
const listed = { MaxResults: wholeNumber(0, 60), NextToken: t.string }
const texts = t.record(t.string, t.string)
const server = { ...pool, Identifier: t.string }
const scopes = t.array(t.type({ ScopeName: t.string, ScopeDescription: t.string }))
const provider = { ...pool, ProviderName: t.string }
const providerMore = { AttributeMapping: texts, IdpIdentifiers: t.array(t.string) }
const domain = { Domain: t.string, UserPoolId: t.string }
const domainMore = { CustomDomainConfig: t.type({ CertificateArn: t.string }), ManagedLoginVersion: t.number }

/**
 * Operations on the resource servers, identity providers, domains and styles of pools that were created by
 * the API. The platform stores and shows styles, but its pages do not use them.
 */
export const poolPartOperations: Operations = {
  CreateResourceServer: admin(
    fields({ ...server, Name: t.string }, { Scopes: scopes }),
    async (engine, { UserPoolId, Identifier, ...requested }) => {
      const taken = `${Identifier} already exists in user pool ${UserPoolId}.`
      const part = await add(engine, UserPoolId, 'resourceServers', Identifier, requested, () =>
        invalidParameter(taken),
      )
      return { ResourceServer: wireServer(UserPoolId, part) }
    },
  ),

  DescribeResourceServer: admin(fields(server, {}), async (engine, { UserPoolId, Identifier }) => ({
    ResourceServer: wireServer(UserPoolId, partOf(engine, UserPoolId, 'resourceServers', Identifier)),
  })),

  UpdateResourceServer: admin(
    fields({ ...server, Name: t.string }, { Scopes: scopes }),
    async (engine, { UserPoolId, Identifier, ...requested }) => ({
      ResourceServer: wireServer(
        UserPoolId,
        await update(engine, UserPoolId, 'resourceServers', Identifier, requested),
      ),
    }),
  ),

  DeleteResourceServer: admin(fields(server, {}), async (engine, { UserPoolId, Identifier }) => {
    await remove(engine, UserPoolId, 'resourceServers', Identifier)
    return {}
  }),

  ListResourceServers: admin(fields(pool, listed), async (engine, { UserPoolId, MaxResults, NextToken }) => {
    const all = refuseConfigured(engine, UserPoolId).resourceServers
    const { items, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
    return { ResourceServers: items.map(each => wireServer(UserPoolId, each)), ...next }
  }),

  CreateIdentityProvider: admin(
    fields({ ...provider, ProviderType: t.string, ProviderDetails: texts }, providerMore),
    async (engine, { UserPoolId, ProviderName, ...requested }) => {
      const part = await add(
        engine,
        UserPoolId,
        'identityProviders',
        ProviderName,
        requested,
        () =>
          new UserPoolError(
            'DuplicateProviderException',
            `A provider with the name ${ProviderName} already exists.`,
          ),
      )
      return { IdentityProvider: wireProvider(UserPoolId, part) }
    },
  ),

  DescribeIdentityProvider: admin(fields(provider, {}), async (engine, { UserPoolId, ProviderName }) => ({
    IdentityProvider: wireProvider(UserPoolId, partOf(engine, UserPoolId, 'identityProviders', ProviderName)),
  })),

  GetIdentityProviderByIdentifier: admin(
    fields({ ...pool, IdpIdentifier: t.string }, {}),
    async (engine, { UserPoolId, IdpIdentifier }) => {
      const all = refuseConfigured(engine, UserPoolId).identityProviders
      const found = all.find(
        ({ requested }) =>
          Array.isArray(requested.IdpIdentifiers) && requested.IdpIdentifiers.includes(IdpIdentifier),
      )
      if (found === undefined) throw missing('identityProviders', IdpIdentifier)
      return { IdentityProvider: wireProvider(UserPoolId, found) }
    },
  ),

  UpdateIdentityProvider: admin(
    fields(provider, { ...providerMore, ProviderDetails: texts }),
    async (engine, { UserPoolId, ProviderName, ...requested }) => ({
      IdentityProvider: wireProvider(
        UserPoolId,
        await update(engine, UserPoolId, 'identityProviders', ProviderName, requested),
      ),
    }),
  ),

  DeleteIdentityProvider: admin(fields(provider, {}), async (engine, { UserPoolId, ProviderName }) => {
    await remove(engine, UserPoolId, 'identityProviders', ProviderName)
    return {}
  }),

  ListIdentityProviders: admin(
    fields(pool, listed),
    async (engine, { UserPoolId, MaxResults, NextToken }) => {
      const all = refuseConfigured(engine, UserPoolId).identityProviders
      const { items, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
      const Providers = items.map(({ name, requested, created, modified }) => ({
        ProviderName: name,
        ProviderType: requested.ProviderType,
        CreationDate: seconds(created),
        LastModifiedDate: seconds(modified),
      }))
      return { Providers, ...next }
    },
  ),

  CreateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    if (owner(engine, input.Domain) !== undefined)
      throw invalidParameter(`The domain ${input.Domain} already exists.`)
    return setDomain(engine, input)
  }),

  UpdateUserPoolDomain: admin(fields(domain, domainMore), async (engine, input) => {
    if (refuseConfigured(engine, input.UserPoolId).domain?.name !== input.Domain)
      throw missing('domain', input.Domain)
    return setDomain(engine, input)
  }),

  SetUICustomization: admin(
    fields(pool, { ClientId: t.string, CSS: t.string }),
    async (engine, { UserPoolId, ClientId = everyClient, CSS, ...others }) => {
      if ('ImageFile' in others) throw invalidParameter('Images of pages are not supported.')
      refuseConfigured(engine, UserPoolId)
      refuseUnknownClient(engine, UserPoolId, ClientId)
      const now = engine.clock.now()
      const { uiCustomizations = [] } = await engine.createdPools.change(UserPoolId, createdPool => {
        const before = createdPool.uiCustomizations ?? []
        const created = before.find(each => each.name === ClientId)?.created ?? now
        const part: PoolPart = { name: ClientId, created, modified: now, requested: { CSS } }
        return {
          ...createdPool,
          uiCustomizations: [...before.filter(each => each.name !== ClientId), part],
        }
      })
      return { UICustomization: wireCustomization(UserPoolId, ClientId, uiCustomizations) }
    },
  ),

  GetUICustomization: admin(
    fields(pool, { ClientId: t.string }),
    async (engine, { UserPoolId, ClientId = everyClient }) => {
      refuseUnknownClient(engine, UserPoolId, ClientId)
      const { uiCustomizations = [] } = engine.createdPools.get(UserPoolId) ?? {}
      return { UICustomization: wireCustomization(UserPoolId, ClientId, uiCustomizations) }
    },
  ),

  DeleteUserPoolDomain: admin(fields(domain, {}), async (engine, { UserPoolId, Domain }) => {
    if (refuseConfigured(engine, UserPoolId).domain?.name !== Domain) throw missing('domain', Domain)
    await engine.createdPools.change(UserPoolId, createdPool => ({ ...createdPool, domain: undefined }))
    return {}
  }),

  DescribeUserPoolDomain: admin(
    fields({ Domain: t.string }, {}),
    async (engine, { Domain }) => {
      const found = owner(engine, Domain)
      if (found?.domain === undefined) return { DomainDescription: {} }
      return {
        DomainDescription: {
          Domain,
          UserPoolId: found.id,
          AWSAccountId: engine.account,
          Status: 'ACTIVE',
          ...found.domain.requested,
        },
      }
    },
    (engine, { Domain }) => owner(engine, String(Domain))?.id,
  ),
}

/** The client id that stands for all clients without styles of their own. */
const everyClient = 'ALL'

/**
 * Refuses a client that does not belong to the pool.
 * @throws UserPoolError for an unknown pool or client
 */
function refuseUnknownClient(engine: Engine, poolId: string, clientId: string): void {
  const { clients } = engine.poolOf(poolId)
  if (clientId !== everyClient && !clients.some(({ id }) => id === clientId))
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
}

/** Returns the styles for a client, or the styles for all clients if the client has no styles of its own. */
function wireCustomization(UserPoolId: string, ClientId: string, all: readonly PoolPart[]) {
  const found = all.find(({ name }) => name === ClientId) ?? all.find(({ name }) => name === everyClient)
  if (found === undefined) return { UserPoolId, ClientId }
  const { name, created, modified, requested } = found
  return {
    UserPoolId,
    ClientId: name,
    CSS: requested.CSS,
    CSSVersion: String(modified),
    LastModifiedDate: seconds(modified),
    CreationDate: seconds(created),
  }
}

type Kind = 'resourceServers' | 'identityProviders'

function partOf(engine: Engine, poolId: string, kind: Kind, name: string): PoolPart {
  const found = refuseConfigured(engine, poolId)[kind].find(each => each.name === name)
  if (found === undefined) throw missing(kind, name)
  return found
}

function missing(kind: Kind | 'domain', name: string): UserPoolError {
  const what = {
    resourceServers: 'Resource server',
    identityProviders: 'Identity provider',
    domain: 'Domain',
  }[kind]
  return new UserPoolError('ResourceNotFoundException', `${what} ${name} does not exist.`)
}

async function add(
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

async function update(
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

async function remove(engine: Engine, poolId: string, kind: Kind, name: string): Promise<void> {
  partOf(engine, poolId, kind, name)
  await engine.createdPools.change(poolId, createdPool => ({
    ...createdPool,
    [kind]: createdPool[kind].filter(each => each.name !== name),
  }))
}

function owner(engine: Engine, name: string): CreatedPool | undefined {
  return engine.createdPools.all().find(each => each.domain?.name === name)
}

async function setDomain(
  engine: Engine,
  { UserPoolId, Domain, ...requested }: { readonly UserPoolId: string; readonly Domain: string },
): Promise<object> {
  refuseConfigured(engine, UserPoolId)
  const now = engine.clock.now()
  await engine.createdPools.change(UserPoolId, createdPool => ({
    ...createdPool,
    domain: { name: Domain, created: createdPool.domain?.created ?? now, modified: now, requested },
  }))
  return { CloudFrontDomain: new URL(engine.issuer(engine.poolOf(UserPoolId))).host }
}

function wireServer(UserPoolId: string, { name, requested }: PoolPart) {
  return { UserPoolId, Identifier: name, Name: requested.Name, Scopes: requested.Scopes }
}

function wireProvider(UserPoolId: string, { name, requested, created, modified }: PoolPart) {
  return {
    UserPoolId,
    ProviderName: name,
    ...requested,
    CreationDate: seconds(created),
    LastModifiedDate: seconds(modified),
  }
}
