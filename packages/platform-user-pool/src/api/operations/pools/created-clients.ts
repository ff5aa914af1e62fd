import * as t from 'io-ts'
import { removeClient } from '../../../agents/registered-clients.ts'
import { identityScopes, isSecret, ownScope, registrationScope } from '../../../config/client-config.ts'
import { isRedirectAddress } from '../../../config/redirect-address.ts'
import { isFlowName, tokenLives } from '../../../created-pools/client-settings.ts'
import {
  type CreatedClient,
  type CreatedPool,
  clientFields,
  type RequestedClient,
} from '../../../created-pools/created-pool.ts'
import { updatedFields } from '../../../created-pools/omitted-fields.ts'
import { settingsOfCreatedPool } from '../../../created-pools/settings.ts'
import type { Engine } from '../../../engine.ts'
import { encryptedSecret } from '../../../flows/sign-in/client-secrets.ts'
import { resourceScopes } from '../../../tokens/scopes.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { wireCreatedClient } from '../../wire/wire-created-pool.ts'
import { admin, type Operations } from '../operation.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }

/** Operations that create, change and remove clients in pools created through the API. */
export const createdClientOperations: Operations = {
  CreateUserPoolClient: admin(
    fields({ ...pool, ClientName: t.string }, { ...clientFields, ClientSecret: t.string }),
    async (engine, { UserPoolId, ClientName, ClientSecret: given, ...asked }) => {
      refuseBadSecret(given)
      if (given !== undefined && asked.GenerateSecret === true)
        throw invalidParameter('A request has either GenerateSecret or a ClientSecret.')
      const input = { ...asked, ...(given !== undefined && { GenerateSecret: true }) }
      const requested = requestedOf(input, refuseConfigured(engine, UserPoolId), 'creating')
      const now = engine.clock.now()
      const id = engine.newClientId()
      const client: CreatedClient = {
        ...{ id, name: ClientName, created: now, modified: now, requested },
        ...(given !== undefined && { secrets: [chosenSecret(engine, UserPoolId, id, given)] }),
      }
      const createdPool = await engine.createdPools.change(UserPoolId, before => ({
        ...before,
        clients: [...before.clients, client],
      }))
      return { UserPoolClient: wireCreatedClient(engine, createdPool, client) }
    },
  ),

  UpdateUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, { ...clientFields, ClientName: t.string }),
    async (engine, { UserPoolId, ClientId, ...input }) => {
      const createdPool = await changeClient(engine, UserPoolId, ClientId, (client, owner) => {
        const { GenerateSecret } = client.requested
        const before = { ...client.requested, ClientName: client.name }
        const updated = updatedFields('UpdateUserPoolClient', before, { ...input, GenerateSecret })
        const { ClientName: name, ...asked } = updated
        const requested = requestedOf(asked, owner, 'updating')
        return [{ ...client, name, modified: engine.clock.now(), requested }]
      })
      return { UserPoolClient: wireCreatedClient(engine, createdPool, clientOf(createdPool, ClientId)) }
    },
  ),

  DeleteUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, {}),
    async (engine, { UserPoolId, ClientId }) => {
      if (await removeClient(engine, engine.poolOf(UserPoolId), ClientId)) return {}
      await changeClient(engine, UserPoolId, ClientId, () => [])
      return {}
    },
  ),
}

/** Returns the stored form of the secret that an administrator has chosen for a new client. */
function chosenSecret(
  { vault, clock }: Engine,
  pool: string,
  client: string,
  secret: string,
): NonNullable<CreatedClient['secrets']>[number] {
  const created = clock.now()
  const id = `${client}--${Math.floor(created)}`
  return { id, created, encrypted: encryptedSecret(vault, { id: pool }, id, secret) }
}

/**
 * Checks a secret that an administrator has chosen.
 * @throws UserPoolError for one that is too short, too long or of other characters
 */
export function refuseBadSecret(secret: string | undefined): void {
  if (secret !== undefined && !isSecret(secret))
    throw invalidParameter('ClientSecret must have 24 to 64 letters, digits, _ and +.')
}

/**
 * Replaces a client of a pool that the API has created.
 * @param change returns the new client, or nothing if it is removed
 * @throws UserPoolError for a pool of the configuration, and for an unknown pool or client
 */
export function changeClient(
  engine: Engine,
  poolId: string,
  id: string,
  change: (client: CreatedClient, owner: CreatedPool) => readonly CreatedClient[],
): Promise<CreatedPool> {
  clientOf(refuseConfigured(engine, poolId), id)
  return engine.createdPools.change(poolId, before => ({
    ...before,
    clients: before.clients.flatMap(each => (each.id === id ? change(each, before) : [each])),
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
function requestedOf(input: RequestedClient, owner: CreatedPool, doing: string): RequestedClient {
  const requested = Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(clientFields, name)),
  ) as RequestedClient
  for (const flow of requested.ExplicitAuthFlows ?? [])
    if (!isFlowName(flow)) throw invalidParameter(`The authentication flow ${flow} is not supported.`)
  const isNew = (requested.ExplicitAuthFlows ?? []).map(flow => flow.startsWith('ALLOW_'))
  if (isNew.includes(true) && isNew.includes(false))
    throw invalidParameter("Auth flow name with prefix 'ALLOW' cannot be used with legacy auth flow names.")
  for (const [kind, names] of [
    ['read', requested.ReadAttributes],
    ['write', requested.WriteAttributes],
  ] as const)
    if (names?.some(name => !owner.schema.some(each => each.Name === name)))
      throw invalidParameter(`Invalid ${kind} attributes specified while ${doing} a client`)
  for (const unit of Object.values(requested.TokenValidityUnits ?? {}))
    if (!unitNames.includes(unit))
      throw invalidParameter(`TokenValidityUnits must be of ${unitNames.join(', ')}.`)
  refuseBadLives(requested)
  refuseBadOAuth(requested)
  refuseUnknownScopes(requested, owner)
  const { AuthSessionValidity: minutes = 3 } = requested
  if (minutes < 3 || minutes > 15) throw invalidParameter('AuthSessionValidity must be from 3 to 15 minutes.')
  return requested
}

const minute = 60_000
const day = 24 * 60 * minute

/** Refuses tokens that live too short or too long. No token may outlive the refresh token. */
function refuseBadLives(requested: RequestedClient): void {
  const { refresh, accessLife, idLife } = tokenLives(requested)
  const isGood =
    refresh >= 60 * minute &&
    refresh <= 3650 * day &&
    [accessLife, idLife].every(life => life >= 5 * minute && life <= day)
  if (!isGood) throw invalidParameter('Invalid range for token validity.')
  if (accessLife > refresh || idLife > refresh)
    throw invalidParameter(
      'Access and Id Token expiration times must be less than or equal to refresh token expiration times.',
    )
}

/** Refuses a scope that neither OpenID Connect nor a resource server of the pool defines. */
function refuseUnknownScopes({ AllowedOAuthScopes = [] }: RequestedClient, owner: CreatedPool): void {
  const known = [
    ...identityScopes,
    ownScope,
    registrationScope,
    ...resourceScopes(settingsOfCreatedPool(owner)),
  ]
  for (const scope of AllowedOAuthScopes)
    if (!known.includes(scope))
      throw new UserPoolError('ScopeDoesNotExistException', `Invalid scope requested: ${scope}`)
}

const oauthFlows = ['code', 'implicit', 'client_credentials']

function refuseBadOAuth(requested: RequestedClient): void {
  const { CallbackURLs = [], LogoutURLs = [], DefaultRedirectURI, AllowedOAuthFlows = [] } = requested
  for (const [field, addresses] of [
    ['CallbackURLs', CallbackURLs],
    ['LogoutURLs', LogoutURLs],
  ] as const) {
    const refused = addresses.find(address => !isRedirectAddress(address))
    if (refused === undefined) continue
    if (isRedirectAddress(refused.replace(/^http:/, 'https:')))
      throw invalidParameter(`${refused} cannot use the HTTP protocol.`)
    if (isRedirectAddress(refused.replace(/#.*$/, '')))
      throw invalidParameter(`${refused} cannot use fragment`)
    throw invalidParameter(
      `${field} must be addresses by https, by http on localhost, or by the scheme of an app, without a fragment.`,
    )
  }
  if (DefaultRedirectURI !== undefined && !CallbackURLs.includes(DefaultRedirectURI))
    throw invalidParameter(`The default redirect URI ${DefaultRedirectURI} is not in the callback URIs list.`)
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
