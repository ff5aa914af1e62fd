import type { Clock } from '@signalbox/core'
import type { Services, SignInClient } from '@signalbox/platform-runtime'
import type { Configuration, CustomFetch } from 'openid-client'
import type { AuthenticateSettings } from '../config/load-balancer-settings.ts'
import { boundedFetch, UnreachableError } from './bounded-fetch.ts'

/** The maximum size of a provider's answer in bytes. */
const mostBytes = 1024 * 1024

/** Milliseconds after which a discovery document is read again. */
const documentLife = 60 * 60_000

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
      if (known?.client === client) known = undefined
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
  const authentication = secret === undefined ? openid.None() : openid.ClientSecretBasic(secret)
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
