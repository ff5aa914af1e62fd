import { keepDocument } from '../agents/document-client.ts'
import { keepClient } from '../agents/registered-clients.ts'
import { registrationScope } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../context/engine-context.ts'
import { rotateTokens } from '../flows/sign-in/refresh-tokens.ts'
import type { Grant, Tokens } from '../tokens/issue-tokens.ts'
import { machineToken } from '../tokens/machine-token.ts'
import { resourceScopes } from '../tokens/scopes.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { redeemCode } from './authorization-codes.ts'
import { scopesOf } from './authorization-request.ts'
import { authenticatedClient, type RequestOrigin } from './client-authentication.ts'
import { redeemDeviceCode, refuseWithoutDevices, startDevice } from './device-authorization.ts'
import { OAuthError } from './oauth-error.ts'
import { type Parameters, parameters, spaced } from './parameters.ts'
import { grantedResource, requestedResource, scopesAt } from './resource-indicator.ts'

const names = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'device_code',
  'scope',
]

/**
 * Returns the response of the token endpoint (RFC 6749, 3.2).
 * @param authorization the value of the Authorization header
 * @throws OAuthError if the request is refused
 */
export async function tokenAnswer(
  engine: EngineContext,
  pool: PoolSettings,
  form: URLSearchParams,
  authorization: string | undefined,
  from: RequestOrigin,
): Promise<object> {
  const request = parameters(form)
  request.refuseRepeated(names)
  const grant = request.get('grant_type')
  if (grant === undefined) throw new OAuthError('invalid_request', 'The grant_type is missing.')
  const caller = await authenticatedClient(engine, pool, request, authorization, from)
  const run = Object.hasOwn(grants, grant) ? grants[grant] : undefined
  if (run === undefined)
    throw new OAuthError('unsupported_grant_type', 'The grant_type is not supported by this server.')
  try {
    return await run(engine, caller, request)
  } catch (error) {
    if (error instanceof UserPoolError && error.type !== 'InternalErrorException')
      throw new OAuthError('invalid_grant', error.message)
    throw error
  }
}

/** The grant type of devices (RFC 8628, 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * Returns the response of the device authorization endpoint (RFC 8628, 3.1).
 * @param page the address of the page on which users enter codes
 * @throws OAuthError if the request is refused
 */
export async function deviceAnswer(
  engine: EngineContext,
  pool: PoolSettings,
  form: URLSearchParams,
  authorization: string | undefined,
  from: RequestOrigin,
  page: string,
): Promise<object> {
  const request = parameters(form)
  request.refuseRepeated(['client_id', 'client_secret', 'scope'])
  const caller = await authenticatedClient(engine, pool, request, authorization, from)
  refuseWithoutDevices(caller.client)
  const resource = requestedResource(pool, request.all('resource'))
  const scopes = scopesOf(pool, caller.client, resource, request.get('scope'))
  return startDevice(engine, caller, { scopes, resource }, page)
}

type Run = (engine: EngineContext, caller: ClientCaller, request: Parameters) => Promise<object>

const grants: { readonly [type: string]: Run } = {
  async authorization_code(engine, caller, { get, all }) {
    refuseWithout(caller, 'code')
    const { tokens, refreshToken, user } = await redeemCode(
      engine,
      caller,
      required(get, 'code'),
      get('redirect_uri'),
      get('code_verifier'),
      all('resource'),
    )
    await keepClient(engine, caller.pool, caller.client, user.id)
    await keepDocument(engine, caller.pool, caller.client)
    return { ...wireTokens(tokens), refresh_token: refreshToken }
  },

  async [deviceGrant](engine, caller, { get, all }) {
    refuseWithoutDevices(caller.client)
    const { tokens, refreshToken } = await redeemDeviceCode(
      engine,
      caller,
      required(get, 'device_code'),
      all('resource'),
    )
    return { ...wireTokens(tokens), refresh_token: refreshToken }
  },

  async refresh_token(engine, caller, { get, all }) {
    if (!caller.client.oauth.grants.includes('device_code')) refuseWithout(caller, 'code')
    const { RefreshToken, ...tokens } = await rotateTokens(
      engine,
      caller,
      required(get, 'refresh_token'),
      {},
      grant => {
        grantedResource(grant.resource, all('resource'))
        refuseWithdrawn(caller, grant)
      },
    )
    // A client that was away for long has lost its document, and fetched it again.
    await keepDocument(engine, caller.pool, caller.client)
    return { ...wireTokens(tokens), ...(RefreshToken !== undefined && { refresh_token: RefreshToken }) }
  },

  async client_credentials(engine, caller, { get, all }) {
    refuseWithout(caller, 'client_credentials')
    const resource = requestedResource(caller.pool, all('resource'))
    const possible = [...resourceScopes(caller.pool), registrationScope]
    const allowed = scopesAt(caller.pool, resource, caller.client.oauth.scopes).filter(scope =>
      possible.includes(scope),
    )
    const asked = get('scope')
    const scopes = asked === undefined ? allowed : spaced(asked)
    if (!scopes.every(scope => allowed.includes(scope)))
      throw new OAuthError('invalid_scope', 'The client must not ask for one of these scopes.')
    const { token, expiresIn } = await machineToken(
      engine,
      caller,
      scopes,
      metadataOf(get('aws_client_metadata')),
      resource,
    )
    return { access_token: token, expires_in: expiresIn, token_type: 'Bearer' }
  },
}

/** Refuses to refresh what a program that nobody has configured could not get any more. */
function refuseWithdrawn({ pool, client }: ClientCaller, { resource, scopes }: Grant): void {
  if (client.agent === undefined) return
  const isKnown = resource === undefined || pool.resourceServers.some(each => each.identifier === resource)
  const possible = scopesAt(pool, resource, client.oauth.scopes)
  if (!isKnown || !scopes.every(scope => possible.includes(scope)))
    throw new OAuthError('invalid_grant', 'The client may no longer ask for one of these scopes.')
}

function wireTokens({ IdToken, AccessToken, ExpiresIn, TokenType }: Tokens) {
  return {
    ...(IdToken !== undefined && { id_token: IdToken }),
    access_token: AccessToken,
    expires_in: ExpiresIn,
    token_type: TokenType,
  }
}

function refuseWithout({ client }: ClientCaller, grant: 'code' | 'client_credentials'): void {
  if (client.oauth.grants.includes(grant)) return
  throw new OAuthError('unauthorized_client', 'The client must not use this grant_type.')
}

function required(get: Parameters['get'], name: string): string {
  const value = get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** Reads the client metadata for the pool's function, which must be a JSON object of strings. */
function metadataOf(text: string | undefined): Metadata {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]))
  } catch {
    // The error below also covers text that is not JSON.
  }
  throw new OAuthError('invalid_request', 'The parameter aws_client_metadata must be a JSON object.')
}
