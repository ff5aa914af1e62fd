import { clientOf } from '../agents/client-of.ts'
import { identityScopes } from '../config/client-config.ts'
import { isRedirectAddress } from '../config/redirect-address.ts'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { waitingDevice } from './device-authorization.ts'
import { OAuthError, type ReturnAddress } from './oauth-error.ts'
import { parameters, spaced } from './parameters.ts'
import { requestedResource, scopesAt } from './resource-indicator.ts'

/** A client's request to sign a user in. */
export interface AuthorizationRequest {
  readonly client: ClientSettings
  readonly redirectUri: string
  readonly state: string | undefined
  readonly scopes: readonly string[]
  readonly nonce: string | undefined
  /** The PKCE code challenge, with the method S256. */
  readonly challenge: string | undefined
  readonly prompt: readonly string[]
  /** The maximum age of the sign-in in milliseconds. */
  readonly maxAge: number | undefined
  readonly loginHint: string | undefined
  /** An identity token of the user that the client expects to be signed in. It is not checked yet. */
  readonly idTokenHint: string | undefined
  /** The identity provider that the client has chosen for the sign-in. */
  readonly provider: string | undefined
  /** The resource server for which the access token is. */
  readonly resource: string | undefined
  /** The device for which the user signs in. Such a request gets no code. */
  readonly device?: { readonly handle: string; readonly browser: string; readonly userCode: string }
}

/** The parameter with the handle of a device. No client sends a parameter of this name. */
export const deviceParameter = '_device'

/** Where a request comes from. */
interface RequestOrigin {
  /** The network address of the caller. */
  readonly address?: string | undefined
  /** The secret of a browser in which the code of a device was entered. */
  readonly connecting?: string | undefined
}

/** The values of the parameter `prompt`. */
export const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account']

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'identity_provider',
  'idp_identifier',
  'request',
  'request_uri',
]

/**
 * Checks an authorization request (RFC 6749, 4.1.1; OpenID Connect Core, 3.1.2.1).
 * @throws OAuthError. It has a return address only if the redirect URI belongs to the client.
 */
export async function readAuthorizationRequest(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock' | 'documents' | 'notice'>,
  pool: PoolSettings,
  query: URLSearchParams,
  { address, connecting }: RequestOrigin = {},
): Promise<AuthorizationRequest> {
  const { get, all, refuseRepeated } = parameters(query)
  if (query.has(deviceParameter)) return deviceRequest(engine, pool, get, connecting)
  refuseRepeated(['client_id', 'redirect_uri'])
  const client = await clientOf(engine, pool, get('client_id'), address)
  if (client === undefined) throw new OAuthError('invalid_request', 'There is no client with this client_id.')
  const redirectUri = get('redirect_uri')
  if (redirectUri === undefined || !isCallback(client, redirectUri))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one of those that the client has.')
  const returnTo: ReturnAddress = { redirectUri, state: get('state') }
  try {
    refuseRepeated(names)
    return checked(pool, client, returnTo, get, all('resource'))
  } catch (error) {
    if (error instanceof OAuthError)
      throw new OAuthError(error.type, error.message, client.agent === undefined ? returnTo : undefined)
    throw error
  }
}

/**
 * Returns where an error goes that comes before the user has answered. For a client that nobody has configured it is
 * undefined, because anyone can make one, and its error would lead the browser from here to any address.
 */
export function unansweredAddress({
  client,
  device,
  redirectUri,
  state,
}: AuthorizationRequest): ReturnAddress | undefined {
  return client.agent !== undefined || device !== undefined ? undefined : { redirectUri, state }
}

/**
 * Returns whether an address is a redirect URI of a client. Programs that nobody has configured choose a port on the user's
 * device when they start (RFC 8252, 7.3).
 */
function isCallback({ agent, oauth }: ClientSettings, address: string): boolean {
  if (oauth.callbacks.includes(address)) return true
  if (agent === undefined || !isRedirectAddress(address)) return false
  const plain = withoutLoopbackPort(address)
  return plain !== undefined && oauth.callbacks.some(each => withoutLoopbackPort(each) === plain)
}

/** Returns an address on the user's device without its port, or undefined for any other address. */
function withoutLoopbackPort(address: string): string | undefined {
  const [, host, path] =
    /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?([/?].*)?$/.exec(address) ?? []
  return host && `${host} ${path ?? ''}`
}

/**
 * Returns what a device asks for, in the form of an authorization request. It comes from the store alone.
 * @throws OAuthError when the device does not wait any longer
 */
async function deviceRequest(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  pool: PoolSettings,
  get: (name: string) => string | undefined,
  browser: string | undefined,
): Promise<AuthorizationRequest> {
  const handle = get(deviceParameter) ?? ''
  const found = await waitingDevice(engine, pool, handle, browser)
  const client = found && pool.clients.find(({ id }) => id === found.client)
  if (found === undefined || client === undefined || browser === undefined)
    throw new OAuthError('invalid_request', 'The device does not wait any longer.')
  const { scopes, resource, userCode } = found
  return {
    ...{ client, scopes, resource, device: { handle, browser, userCode }, prompt: [], redirectUri: '' },
    ...{ state: undefined, nonce: undefined, challenge: undefined, maxAge: undefined, loginHint: undefined },
    idTokenHint: undefined,
    provider: providerOf(pool, client, get('identity_provider'), get('idp_identifier')),
  }
}

function checked(
  pool: PoolSettings,
  client: ClientSettings,
  returnTo: ReturnAddress,
  get: (name: string) => string | undefined,
  resources: readonly string[],
): AuthorizationRequest {
  if (get('request') !== undefined)
    throw new OAuthError('request_not_supported', 'Request objects are not supported.')
  if (get('request_uri') !== undefined)
    throw new OAuthError('request_uri_not_supported', 'Request objects are not supported.')
  const type = get('response_type')
  if (type === undefined) throw new OAuthError('invalid_request', 'The response_type is missing.')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'The response_type must be code.')
  if (!client.oauth.grants.includes('code'))
    throw new OAuthError('unauthorized_client', 'The client must not use the authorization code flow.')
  if ((get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'The response_mode must be query.')
  const prompt = spaced(get('prompt'))
  // A client that asks for a sign-in in a wrong spelling must not get a code without one.
  if (!prompt.every(each => prompts.includes(each)))
    throw new OAuthError('invalid_request', `The prompt must be one of ${prompts.join(', ')}.`)
  if (prompt.includes('none') && prompt.length > 1)
    throw new OAuthError('invalid_request', 'The prompt none stands alone.')
  const resource = requestedResource(pool, resources)
  return {
    client,
    ...returnTo,
    scopes: scopesOf(pool, client, resource, get('scope')),
    resource,
    nonce: get('nonce'),
    challenge: challengeOf(client, get('code_challenge'), get('code_challenge_method')),
    prompt,
    maxAge: maxAgeOf(get('max_age')),
    loginHint: get('login_hint'),
    idTokenHint: get('id_token_hint'),
    provider: providerOf(pool, client, get('identity_provider'), get('idp_identifier')),
  }
}

/**
 * Returns the scopes of a request.
 * @throws OAuthError for a scope that the client must not ask for, also because of the resource
 */
export function scopesOf(
  pool: PoolSettings,
  { oauth }: ClientSettings,
  resource: string | undefined,
  requested: string | undefined,
): readonly string[] {
  const possible = scopesAt(pool, resource, oauth.scopes)
  const scopes = requested === undefined ? possible : spaced(requested)
  const refused = scopes.find(scope => !possible.includes(scope))
  if (refused !== undefined)
    throw new OAuthError('invalid_scope', 'The client must not ask for one of these scopes.')
  if (scopes.some(scope => identityScopes.includes(scope)) && !scopes.includes('openid'))
    throw new OAuthError('invalid_scope', 'The scopes email, phone and profile need the scope openid.')
  return scopes
}

function challengeOf(
  { secret }: ClientSettings,
  challenge: string | undefined,
  method: string | undefined,
): string | undefined {
  if (challenge === undefined && method === undefined) {
    if (secret !== false) return undefined
    throw new OAuthError('invalid_request', 'A client without a secret must send a code_challenge.')
  }
  // A request without a method is also refused, because the default method is `plain`.
  if (method !== 'S256') throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.')
  if (challenge === undefined || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'The code_challenge must be a digest in base64url.')
  return challenge
}

function maxAgeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  throw new OAuthError('invalid_request', 'The max_age must be a number of seconds.')
}

function providerOf(
  pool: PoolSettings,
  client: ClientSettings,
  name: string | undefined,
  identifier: string | undefined,
): string | undefined {
  // Cognito uses the name `COGNITO` for users of the pool itself.
  if ((name === undefined && identifier === undefined) || name === 'COGNITO') return undefined
  const found = pool.identityProviders.find(each =>
    name === undefined ? each.identifiers.includes(identifier!) : each.name === name,
  )
  if (found === undefined || !client.oauth.providers.includes(found.name))
    throw new OAuthError('invalid_request', 'The client has no such identity provider.')
  return found.name
}
