import type { Clock } from '@signalbox/core'
import type { Services, SignInClient } from '@signalbox/platform-runtime'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { AuthenticateSettings } from '../config/load-balancer-settings.ts'
import { boundedFetch, UnreachableError } from './bounded-fetch.ts'

/** The maximum size of a provider's answer in bytes. */
const mostBytes = 1024 * 1024

/** Milliseconds after which a discovery document is read again. */
const documentLife = 60 * 60_000

/** Milliseconds for which a provider that cannot be reached is not asked again, because any request would ask it. */
const failureLife = 3_000

/** The algorithms of identity tokens that come without keys, from a connection that vouches for them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** A provider, as the load balancer's client sees it. */
export interface ProviderClient {
  readonly config: Configuration
  readonly issuer: string
  readonly clientId: string
  /** Whether claims come from the provider's user-info endpoint. */
  readonly hasUserInfo: boolean
}

/**
 * Returns a function that returns the client of a provider: of a pool of this platform, or of another OpenID Connect
 * provider. The returned promise rejects when the provider cannot be reached.
 * @param clock the clock of tokens
 */
export function providerClient(
  settings: AuthenticateSettings,
  services: Services,
  clock: Clock,
): () => Promise<ProviderClient> {
  let known:
    | { readonly client: Promise<ProviderClient>; readonly skew: number; readonly until: number }
    | undefined

  return async () => {
    // The time that tests give the platform is that of its pools, too.
    const skew = settings.pool === undefined ? 0 : Math.round((clock.wall() - Date.now()) / 1000)
    if (known !== undefined && Math.abs(known.skew - skew) <= 1 && clock.now() < known.until)
      return known.client
    const client = open(settings, services, skew)
    known = { client, skew, until: clock.now() + documentLife }
    client.catch(() => {
      // A pool of this platform is there as soon as it has started.
      const until = settings.pool === undefined ? clock.now() + failureLife : clock.now()
      if (known?.client === client) known = { client, skew, until }
    })
    return client
  }
}

async function open(
  settings: AuthenticateSettings,
  services: Services,
  skew: number,
): Promise<ProviderClient> {
  const openid = await import('openid-client')
  const { pool, client: name } = settings
  const own = pool === undefined ? undefined : ownClient(services, pool, name!)
  const clientId = own?.clientId ?? settings.clientId!
  const secret = own === undefined ? settings.clientSecret : own.clientSecret
  const authentication = secret === undefined ? openid.None() : bySecret(openid, secret)
  const metadata = { [openid.clockSkew]: skew }
  const fetchFrom = own === undefined ? fromProvider : fromPool(own)

  const configuration = async () => {
    if (own !== undefined)
      return new openid.Configuration(own.metadata as never, clientId, metadata, authentication)
    const { issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint } = settings
    if (authorizationEndpoint === undefined)
      return openid.discovery(new URL(issuer!), clientId, metadata, authentication, {
        [openid.customFetch]: fetchFrom,
        execute: issuer!.startsWith('http:') ? [openid.allowInsecureRequests] : [],
      })
    return new openid.Configuration(
      {
        issuer: issuer!,
        authorization_endpoint: authorizationEndpoint,
        token_endpoint: tokenEndpoint!,
        id_token_signing_alg_values_supported: algorithms,
        ...(userInfoEndpoint !== undefined && { userinfo_endpoint: userInfoEndpoint }),
      },
      clientId,
      metadata,
      authentication,
    )
  }
  const config = await configuration()
  config[openid.customFetch] = fetchFrom
  const server = config.serverMetadata()
  // An address of the configuration by http is on this machine. One of a discovery document by https could be anywhere.
  const isHere = [settings.issuer, settings.tokenEndpoint].some(each => each?.startsWith('http:'))
  if (own !== undefined || isHere) openid.allowInsecureRequests(config)
  // Without keys, the connection to the token endpoint vouches for identity tokens (OpenID Connect Core, 3.1.3.7).
  if (server.jwks_uri !== undefined) openid.enableNonRepudiationChecks(config)
  return { config, issuer: server.issuer, clientId, hasUserInfo: server.userinfo_endpoint !== undefined }
}

/** Returns how the load balancer shows its secret: in a header, or in the body for providers that support only that. */
function bySecret(openid: typeof import('openid-client'), secret: string): ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return (methods?.includes('client_secret_basic') !== false ? basic : post)(server, ...rest)
  }
}

function ownClient({ signIn }: Services, pool: string, client: string): SignInClient {
  try {
    return signIn!.clientOf(pool, client)
  } catch (error) {
    throw new UnreachableError((error as Error).message)
  }
}

const fromProvider: CustomFetch = (url, { method, headers, body }) =>
  boundedFetch(url, mostBytes, { method, headers, body: body == null ? undefined : String(body) })

const fromPool =
  (client: SignInClient): CustomFetch =>
  async (url, { method, headers, body }) => {
    try {
      return await client.send({
        url,
        method,
        headers: new Headers(headers),
        body: body == null ? undefined : String(body),
      })
    } catch (error) {
      throw new UnreachableError((error as Error).message)
    }
  }
