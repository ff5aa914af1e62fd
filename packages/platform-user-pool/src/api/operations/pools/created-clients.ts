import * as t from 'io-ts'
import { isFlowName } from '../../../created-pools/client-settings.ts'
import {
  type CreatedClient,
  type CreatedPool,
  clientFields,
  type RequestedClient,
} from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../flows/accounts/accounts.ts'
import { isRedirectAddress } from '../../../oidc/redirect-address.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields } from '../../wire/inputs.ts'
import { wireCreatedClient } from '../../wire/wire-created-pool.ts'
import { admin, type Operations } from '../operation.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }

/** Operations that create, change and remove clients in pools created through the API. */
export const createdClientOperations: Operations = {
  CreateUserPoolClient: admin(
    fields({ ...pool, ClientName: t.string }, clientFields),
    async (engine, { UserPoolId, ClientName, ...input }) => {
      const { schema } = refuseConfigured(engine, UserPoolId)
      const requested = requestedOf(input, schema, 'creating')
      const now = engine.clock.now()
      const client = { id: engine.newClientId(), name: ClientName, created: now, modified: now, requested }
      const createdPool = await engine.createdPools.change(UserPoolId, before => ({
        ...before,
        clients: [...before.clients, client],
      }))
      return { UserPoolClient: wireCreatedClient(engine, createdPool, client) }
    },
  ),

  UpdateUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, { ...clientFields, ClientName: t.string }),
    async (engine, { UserPoolId, ClientId, ClientName, ...input }) => {
      const owner = refuseConfigured(engine, UserPoolId)
      const { GenerateSecret } = clientOf(owner, ClientId).requested
      const asked = { ...input, ...(GenerateSecret && { GenerateSecret }) }
      const requested = requestedOf(asked, owner.schema, 'updating')
      const createdPool = await changeClient(engine, UserPoolId, ClientId, client => [
        {
          ...client,
          name: ClientName ?? client.name,
          modified: engine.clock.now(),
          // Fields that the request omits are reset to their defaults, except for the client secret.
          requested: { ...requested, ...(client.requested.GenerateSecret && { GenerateSecret: true }) },
        },
      ])
      return { UserPoolClient: wireCreatedClient(engine, createdPool, clientOf(createdPool, ClientId)) }
    },
  ),

  DeleteUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, {}),
    async (engine, { UserPoolId, ClientId }) => {
      await changeClient(engine, UserPoolId, ClientId, () => [])
      return {}
    },
  ),
}

function changeClient(
  engine: Engine,
  poolId: string,
  id: string,
  change: (client: CreatedClient) => readonly CreatedClient[],
): Promise<CreatedPool> {
  clientOf(refuseConfigured(engine, poolId), id)
  return engine.createdPools.change(poolId, before => ({
    ...before,
    clients: before.clients.flatMap(each => (each.id === id ? change(each) : [each])),
  }))
}

/**
 * Finds a client of a pool.
 * @throws UserPoolError when the pool has no client with this id
 */
export function clientOf({ clients }: CreatedPool, id: string): CreatedClient {
  const found = clients.find(each => each.id === id)
  if (found === undefined)
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${id} does not exist.`)
  return found
}

const unitNames = ['seconds', 'minutes', 'hours', 'days']

/**
 * Checks the known settings in a request, and returns them.
 * @throws UserPoolError for an invalid setting
 */
function requestedOf(input: RequestedClient, schema: CreatedPool['schema'], doing: string): RequestedClient {
  const requested = Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(clientFields, name)),
  ) as RequestedClient
  for (const flow of requested.ExplicitAuthFlows ?? [])
    if (!isFlowName(flow)) throw invalidParameter(`The authentication flow ${flow} is not supported.`)
  for (const [kind, names] of [
    ['read', requested.ReadAttributes],
    ['write', requested.WriteAttributes],
  ] as const)
    if (names?.some(name => !schema.some(each => each.Name === name)))
      throw invalidParameter(`Invalid ${kind} attributes specified while ${doing} a client`)
  for (const unit of Object.values(requested.TokenValidityUnits ?? {}))
    if (!unitNames.includes(unit))
      throw invalidParameter(`TokenValidityUnits must be of ${unitNames.join(', ')}.`)
  refuseBadOAuth(requested)
  const { AuthSessionValidity: minutes = 3 } = requested
  if (minutes < 3 || minutes > 15) throw invalidParameter('AuthSessionValidity must be from 3 to 15 minutes.')
  return requested
}

const oauthFlows = ['code', 'implicit', 'client_credentials']

function refuseBadOAuth(requested: RequestedClient): void {
  const { CallbackURLs = [], LogoutURLs = [], DefaultRedirectURI, AllowedOAuthFlows = [] } = requested
  for (const [field, addresses] of [
    ['CallbackURLs', CallbackURLs],
    ['LogoutURLs', LogoutURLs],
  ] as const)
    if (!addresses.every(isRedirectAddress))
      throw invalidParameter(
        `${field} must be addresses by https, by http on localhost, or by the scheme of an app, without a fragment.`,
      )
  if (DefaultRedirectURI !== undefined && !CallbackURLs.includes(DefaultRedirectURI))
    throw invalidParameter('DefaultRedirectURI must be one of CallbackURLs.')
  for (const flow of AllowedOAuthFlows)
    if (!oauthFlows.includes(flow))
      throw invalidParameter(`AllowedOAuthFlows must be of ${oauthFlows.join(', ')}.`)
  if (AllowedOAuthFlows.includes('client_credentials') && AllowedOAuthFlows.length > 1)
    throw invalidParameter(
      'client_credentials flow can not be selected along with code flow or implicit flow.',
    )
  if (AllowedOAuthFlows.includes('client_credentials') && requested.GenerateSecret !== true)
    throw invalidParameter(
      'client_credentials flow can not be selected if client does not have a client secret.',
    )
}
