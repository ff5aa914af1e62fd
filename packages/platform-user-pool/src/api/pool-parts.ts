import * as t from 'io-ts'
import type { Engine } from '../engine.ts'
import { invalidParameter } from '../flows/accounts/accounts.ts'
import type { MadePool, PoolPart } from '../made-pools/made-pool.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { fields, wholeNumber } from './inputs.ts'
import { admin, type Operations } from './operation.ts'
import { page } from './page.ts'
import { refuseConfigured } from './refuse-configured.ts'
import { seconds } from './wire-user.ts'

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
 * Resource servers, identity providers and domains of pools that were made by the API. The platform stores and shows
 * them, but does not use them to sign users in.
 */
export const poolPartOperations: Operations = {
  CreateResourceServer: admin(
    fields({ ...server, Name: t.string }, { Scopes: scopes }),
    async (engine, { UserPoolId, Identifier, ...given }) => {
      const taken = `${Identifier} already exists in user pool ${UserPoolId}.`
      const part = await add(engine, UserPoolId, 'resourceServers', Identifier, given, () =>
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
    async (engine, { UserPoolId, Identifier, ...given }) => ({
      ResourceServer: wireServer(
        UserPoolId,
        await update(engine, UserPoolId, 'resourceServers', Identifier, given),
      ),
    }),
  ),

  DeleteResourceServer: admin(fields(server, {}), async (engine, { UserPoolId, Identifier }) => {
    await remove(engine, UserPoolId, 'resourceServers', Identifier)
    return {}
  }),

  ListResourceServers: admin(fields(pool, listed), async (engine, { UserPoolId, MaxResults, NextToken }) => {
    const all = refuseConfigured(engine, UserPoolId).resourceServers
    const { shown, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
    return { ResourceServers: shown.map(each => wireServer(UserPoolId, each)), ...next }
  }),

  CreateIdentityProvider: admin(
    fields({ ...provider, ProviderType: t.string, ProviderDetails: texts }, providerMore),
    async (engine, { UserPoolId, ProviderName, ...given }) => {
      const part = await add(
        engine,
        UserPoolId,
        'identityProviders',
        ProviderName,
        given,
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
        ({ given }) => Array.isArray(given.IdpIdentifiers) && given.IdpIdentifiers.includes(IdpIdentifier),
      )
      if (found === undefined) throw missing('identityProviders', IdpIdentifier)
      return { IdentityProvider: wireProvider(UserPoolId, found) }
    },
  ),

  UpdateIdentityProvider: admin(
    fields(provider, { ...providerMore, ProviderDetails: texts }),
    async (engine, { UserPoolId, ProviderName, ...given }) => ({
      IdentityProvider: wireProvider(
        UserPoolId,
        await update(engine, UserPoolId, 'identityProviders', ProviderName, given),
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
      const { shown, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
      const Providers = shown.map(({ name, given, created, modified }) => ({
        ProviderName: name,
        ProviderType: given.ProviderType,
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

  DeleteUserPoolDomain: admin(fields(domain, {}), async (engine, { UserPoolId, Domain }) => {
    if (refuseConfigured(engine, UserPoolId).domain?.name !== Domain) throw missing('domain', Domain)
    await engine.made.change(UserPoolId, made => ({ ...made, domain: undefined }))
    return {}
  }),

  DescribeUserPoolDomain: admin(fields({ Domain: t.string }, {}), async (engine, { Domain }) => {
    const found = owner(engine, Domain)
    if (found?.domain === undefined) return { DomainDescription: {} }
    return {
      DomainDescription: {
        Domain,
        UserPoolId: found.id,
        AWSAccountId: engine.account,
        Status: 'ACTIVE',
        ...found.domain.given,
      },
    }
  }),
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
  given: PoolPart['given'],
  taken: () => UserPoolError,
): Promise<PoolPart> {
  refuseConfigured(engine, poolId)
  const now = engine.clock.now()
  const part: PoolPart = { name, created: now, modified: now, given }
  await engine.made.change(poolId, made => {
    if (made[kind].some(each => each.name === name)) throw taken()
    return { ...made, [kind]: [...made[kind], part] }
  })
  return part
}

async function update(
  engine: Engine,
  poolId: string,
  kind: Kind,
  name: string,
  given: PoolPart['given'],
): Promise<PoolPart> {
  partOf(engine, poolId, kind, name)
  const now = engine.clock.now()
  await engine.made.change(poolId, made => ({
    ...made,
    [kind]: made[kind].map(each =>
      each.name === name ? { ...each, modified: now, given: { ...each.given, ...given } } : each,
    ),
  }))
  return partOf(engine, poolId, kind, name)
}

async function remove(engine: Engine, poolId: string, kind: Kind, name: string): Promise<void> {
  partOf(engine, poolId, kind, name)
  await engine.made.change(poolId, made => ({
    ...made,
    [kind]: made[kind].filter(each => each.name !== name),
  }))
}

function owner(engine: Engine, name: string): MadePool | undefined {
  return engine.made.all().find(each => each.domain?.name === name)
}

async function setDomain(
  engine: Engine,
  { UserPoolId, Domain, ...given }: { readonly UserPoolId: string; readonly Domain: string },
): Promise<object> {
  refuseConfigured(engine, UserPoolId)
  const now = engine.clock.now()
  await engine.made.change(UserPoolId, made => ({
    ...made,
    domain: { name: Domain, created: made.domain?.created ?? now, modified: now, given },
  }))
  return { CloudFrontDomain: new URL(engine.issuer(engine.poolOf(UserPoolId))).host }
}

function wireServer(UserPoolId: string, { name, given }: PoolPart) {
  return { UserPoolId, Identifier: name, Name: given.Name, Scopes: given.Scopes }
}

function wireProvider(UserPoolId: string, { name, given, created, modified }: PoolPart) {
  return {
    UserPoolId,
    ProviderName: name,
    ...given,
    CreationDate: seconds(created),
    LastModifiedDate: seconds(modified),
  }
}
