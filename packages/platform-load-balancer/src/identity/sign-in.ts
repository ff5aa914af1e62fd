import type { Clock } from '@signalbox/core'
import type { Random, Services } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import type { BalancerVault } from '../balancer-key.ts'
import type { AuthenticateSettings, LoadBalancerSettings } from '../config/load-balancer-settings.ts'
import { isThisMachine } from '../config/sign-in-problems.ts'
import { UnreachableError } from './bounded-fetch.ts'
import { cookiesOf, setCookie } from './cookies.ts'
import { openState, type PendingSignIn, returnTarget, sealState, signInTime } from './pending-sign-in.ts'
import { type ProviderClient, providerClient } from './provider-client.ts'
import { readSession, type Session, sessionCookies } from './session-cookies.ts'
import { type IdentityKey, identityHeaders } from './signed-identity.ts'
import { type Refreshed, refreshedSession, sessionOf } from './tokens.ts'

/** The path to which providers send browsers back, as at the service. */
export const callbackPath = '/oauth2/idpresponse'

/** A request of a browser, as sign-in sees it. */
interface BrowserRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** The host name in small letters, without a port. */
  readonly host: string
  /** The host with its port, as the client sent it. */
  readonly authority: string
  readonly isSecure: boolean
  readonly rawHeaders: readonly string[]
}

/** What becomes of a request, and the `set-cookie` values for its response. */
export type Checked =
  /** The request goes on, with these headers. */
  | {
      readonly kind: 'pass'
      readonly headers: readonly (readonly [string, string])[]
      readonly cookies: readonly string[]
    }
  | { readonly kind: 'redirect'; readonly location: string; readonly cookies: readonly string[] }
  | {
      readonly kind: 'refuse'
      readonly status: 401 | 405 | 500 | 561
      /** What the client gets to know. */
      readonly why: string
      /** What only the notice says, such as an address. */
      readonly details?: string
    }

/** The parts of a platform that sign-in needs. */
export interface SignInParts {
  readonly vault: BalancerVault
  readonly key: IdentityKey
  /** The clock of sessions and tokens. */
  readonly clock: Clock
  /** The clock of signatures. */
  readonly machineClock: Clock
  readonly random: Random
  readonly services: Services
  readonly notice: (text: string) => void
}

/** Checks who sends a request to a load balancer. */
export interface SignIn {
  /** Returns the check that an action begins with. */
  readonly checkOf: (settings: AuthenticateSettings) => (request: BrowserRequest) => Promise<Checked>
  /** Completes the sign-in of a browser that comes back from its provider. */
  readonly complete: (request: BrowserRequest) => Promise<Checked>
}

interface Provider {
  readonly key: string
  /** The key that the provider had with the previous key of the load balancers. */
  readonly previousKey: string | undefined
  readonly settings: AuthenticateSettings
  readonly clientOf: () => Promise<ProviderClient>
  readonly refreshed: (client: ProviderClient, session: Session) => Promise<Refreshed>
}

/** Returns how users sign in at a load balancer. */
export function signIn(
  { name, arn }: Pick<LoadBalancerSettings, 'name' | 'arn'>,
  parts: SignInParts,
): SignIn {
  const { vault, clock, random, services, notice } = parts
  const providers = new Map<string, Provider>()

  const about = (what: string, { host }: BrowserRequest) => `${what} ${name} ${host}`
  const aboutSession = (request: BrowserRequest, key: string) => `${about('session', request)} ${key}`
  const digestOf = (cookie: string, request: BrowserRequest, by: Vault = vault) =>
    by.digest(cookie, about('browser', request))
  const secret = () => Buffer.from(random(32)).toString('base64url')

  const providerOf = (settings: AuthenticateSettings): Provider => {
    const { sessionTimeout: _, onUnauthenticatedRequest: __, clientSecret: ___, ...same } = settings
    const keyOf = (by: Vault) => by.digest(JSON.stringify(same), 'provider of a session')
    const key = keyOf(vault)
    const previousKey = vault.previous && keyOf(vault.previous)
    const known = providers.get(key)
    if (known !== undefined) return { ...known, settings }
    const provider = {
      ...{ key, previousKey, settings },
      clientOf: providerClient(settings, services, clock),
      refreshed: refreshedSession(clock),
    }
    providers.set(key, provider)
    if (previousKey !== undefined) providers.set(previousKey, provider)
    return provider
  }

  /** Sends a browser to the provider. */
  const begin = async (request: BrowserRequest, provider: Provider): Promise<Checked> => {
    const { isSecure, path, query } = request
    const { scope, parameters } = provider.settings
    const { config } = await provider.clientOf()
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
    const cookieName = browserCookie(isSecure)
    const sent = cookiesOf(request.rawHeaders).get(cookieName)
    // A browser that signs in in several tabs keeps its cookie.
    const cookie = sent !== undefined && /^[\w-]{43}$/.test(sent) ? sent : secret()
    const pending: PendingSignIn = {
      provider: provider.key,
      target: returnTarget(path, query),
      verifier: secret(),
      nonce: secret(),
      browser: digestOf(cookie, request),
      timeout: provider.settings.sessionTimeout,
      ends: clock.wall() + signInTime,
    }
    const location = buildAuthorizationUrl(config, {
      ...parameters,
      redirect_uri: callbackOf(request).href,
      scope,
      state: sealState(vault, pending, about('sign-in', request)),
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    }).href
    const attributes = { maxAge: signInTime / 1000, secure: isSecure, sameSite: 'Lax' as const }
    return { kind: 'redirect', location, cookies: [setCookie(cookieName, cookie, attributes)] }
  }

  const unauthenticated = (request: BrowserRequest, provider: Provider): Promise<Checked> | Checked => {
    switch (provider.settings.onUnauthenticatedRequest) {
      case 'allow':
        return { kind: 'pass', headers: [], cookies: [] }
      case 'deny':
        return refused('Sign in first')
      default:
        return begin(request, provider)
    }
  }

  /** Returns the cookies of a session, or why it has none. */
  const cookiesFor = (request: BrowserRequest, provider: Provider, session: Session) =>
    sessionCookies(
      ...([vault, cookiesOf(request.rawHeaders), provider.settings.sessionCookie] as const),
      aboutSession(request, provider.key),
      session,
      { maxAge: Math.max(1, Math.ceil((session.ends - clock.wall()) / 1000)), secure: request.isSecure },
    )

  const pass = (session: Session, cookies: readonly string[]): Checked => ({
    kind: 'pass',
    headers: identityHeaders(parts.key, arn, session, parts.machineClock.wall()),
    cookies,
  })

  const check = async (request: BrowserRequest, provider: Provider): Promise<Checked> => {
    const { sessionCookie, sessionTimeout } = provider.settings
    const cookies = cookiesOf(request.rawHeaders)
    const read = (key: string) => readSession(vault, cookies, sessionCookie, aboutSession(request, key))
    const { key, previousKey } = provider
    const session = read(key) ?? (previousKey === undefined ? undefined : read(previousKey))
    const now = clock.wall()
    // Another rule with the same provider can have allowed a longer session.
    const isOver = session === undefined || now >= session.ends || now >= session.began + sessionTimeout
    if (isOver) return unauthenticated(request, provider)
    // Without a refresh token, the session lasts until its own end.
    const isFresh = session.accessEnds === undefined || now < session.accessEnds
    if (isFresh || session.refreshToken === undefined) return pass(session, [])
    const next = await provider.refreshed(await provider.clientOf(), session)
    if (next === 'refused') return unauthenticated(request, provider)
    const renewed = cookiesFor(request, provider, next)
    return renewed === undefined ? tooLarge : pass(next, renewed)
  }

  const complete = async (request: BrowserRequest): Promise<Checked> => {
    const { method, query, isSecure, rawHeaders } = request
    if (method !== 'GET') return { kind: 'refuse', status: 405, why: 'Browsers come back with GET' }
    const cookie = cookiesOf(rawHeaders).get(browserCookie(isSecure))
    const state = new URLSearchParams(query).get('state') ?? ''
    const open = (by: Vault) => {
      const browser = cookie === undefined ? undefined : digestOf(cookie, request, by)
      return openState(by, state, about('sign-in', request), browser, clock.wall())
    }
    const pending = open(vault) ?? (vault.previous && open(vault.previous))
    const provider = pending && providers.get(pending.provider)
    if (pending === undefined || provider === undefined)
      return refused('This browser did not ask for this sign-in, or it took too long')
    const client = await provider.clientOf()
    const url = callbackOf(request)
    url.search = query
    const session = await sessionOf(client, url, state, pending, clock.wall())
    const cookies = cookiesFor(request, provider, session)
    return cookies === undefined
      ? tooLarge
      : { kind: 'redirect', location: originOf(request) + pending.target, cookies }
  }

  /** Answers what a provider does wrong, as the service does. */
  const guarded = async (request: BrowserRequest, work: () => Promise<Checked>): Promise<Checked> => {
    if (request.host === '') return refused('The Host header is missing')
    if (!request.isSecure && !isThisMachine(request.host))
      return refused('Sign-in needs https, or a name of this machine')
    try {
      return await work()
    } catch (error) {
      const answer = answerTo(error)
      const { status, why, details = why } = answer
      if (status !== 401) notice(`The load balancer ${name} could not sign a user in: ${details}`)
      return answer
    }
  }

  return {
    checkOf(settings) {
      const provider = providerOf(settings)
      return request => guarded(request, () => check(request, provider))
    },
    complete: request => guarded(request, () => complete(request)),
  }
}

/** The prefix keeps other hosts of the same domain from setting the cookie, where browsers know it. */
function browserCookie(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}AWSALBAuthNonce`
}

function originOf({ isSecure, authority }: BrowserRequest): string {
  return `${isSecure ? 'https' : 'http'}://${authority}`
}

/** Returns the address to which providers send browsers back, in the form in which it is compared. */
function callbackOf(request: BrowserRequest): URL {
  return new URL(originOf(request) + callbackPath)
}

function refused(why: string): Checked & { readonly kind: 'refuse' } {
  return { kind: 'refuse', status: 401, why }
}

const tooLarge = refused('The claims and tokens of the user do not fit into four cookies')

/** The classes of errors by which the OpenID Connect client says that a provider answered with an error. */
const errorAnswers = new Set([
  'ResponseBodyError',
  'WWWAuthenticateChallengeError',
  'AuthorizationResponseError',
])

/**
 * Returns the answer to an error: 401 when the provider denied access, and for tokens that are not those of the sign-in,
 * 561 when the provider answers with an error, and 500 when it cannot be reached.
 */
function answerTo(error: unknown): Checked & { readonly kind: 'refuse' } {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof UnreachableError)
      return {
        kind: 'refuse',
        status: 500,
        why: 'The identity provider cannot be reached',
        details: at.message,
      }
  if (!(error instanceof Error)) throw error
  const { error: type, code } = error as { readonly error?: unknown; readonly code?: unknown }
  if (error.constructor.name === 'AuthorizationResponseError' && type === 'access_denied')
    return refused('The identity provider denied access')
  if (errorAnswers.has(error.constructor.name) || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    // The rest of a provider's error is not repeated, because it could contain anything, even tokens.
    return { kind: 'refuse', status: 561, why: `The identity provider answered with an error${named(type)}` }
  if (typeof code === 'string' && code.startsWith('OAUTH_'))
    return refused('The answer of the identity provider is not valid for this sign-in')
  throw error
}

/**
 * The errors of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2, and RFC 6750, 3.1) and OpenID Connect (Core, 3.1.2.6). Only these are
 * named, because any client can come back with another text, and would cause another notice with each.
 */
const knownErrors = new Set([
  ...[
    'invalid_request',
    'unauthorized_client',
    'access_denied',
    'unsupported_response_type',
    'invalid_scope',
  ],
  ...['server_error', 'temporarily_unavailable', 'invalid_client', 'invalid_grant', 'unsupported_grant_type'],
  ...['invalid_token', 'insufficient_scope', 'interaction_required', 'login_required', 'consent_required'],
  ...['account_selection_required', 'invalid_request_uri', 'invalid_request_object', 'request_not_supported'],
  ...['request_uri_not_supported', 'registration_not_supported'],
])

function named(type: unknown): string {
  return typeof type === 'string' && knownErrors.has(type) ? `: ${type}` : ''
}
