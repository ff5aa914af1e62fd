import { isSame } from '@signalbox/platform-runtime/secrets'
import type { Configuration } from 'openid-client'
import type { IdentityProviderSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { type NewBrowserSession, newBrowserSession } from '../flows/sign-in/new-browser-session.ts'
import { keptSignIn } from '../flows/sign-in/sign-in-history.ts'
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  unansweredAddress,
} from '../oidc/authorization-request.ts'
import { OAuthError } from '../oidc/oauth-error.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { federatedUser, type ProviderAnswer } from './federated-user.ts'

/** How many milliseconds a user has to sign in at the provider. */
const life = 10 * 60_000

/** The data about a sign-in at a provider, which is stored until the browser comes back. */
interface Pending {
  readonly provider: string
  /** The parameters of the client's request. */
  readonly query: string
  readonly verifier: string
  readonly nonce: string
  /** The digest of the browser's cookie. */
  readonly browser: string
}

function about({ id }: PoolSettings): string {
  return `provider sign-in ${id}`
}

function browserOf({ vault }: Pick<EngineContext, 'vault'>, pool: PoolSettings, cookie: string): string {
  return vault.digest(cookie, `browser of ${about(pool)}`)
}

/** Returns the address that providers send browsers back to. */
function providerCallback({ issuer }: Pick<EngineContext, 'issuer'>, pool: PoolSettings): string {
  return `${issuer(pool)}/oauth2/idpresponse`
}

/**
 * Returns the provider's sign-in address with a new state, nonce and PKCE challenge.
 * @param cookie the cookie of the browser. No other browser can complete the sign-in.
 * @throws OAuthError when the provider cannot be reached
 */
export async function providerAddress(
  engine: EngineContext,
  { pool }: ClientCaller,
  provider: IdentityProviderSettings,
  request: AuthorizationRequest,
  query: string,
  cookie: string,
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const { vault, clock, store } = engine
  const config = await configuration(engine, provider, request)
  const secret = () => Buffer.from(engine.random(32)).toString('base64url')
  const state = secret()
  const pending: Pending = {
    provider: provider.name,
    query,
    verifier: secret(),
    nonce: secret(),
    browser: browserOf(engine, pool, cookie),
  }
  const id = vault.digest(state, about(pool))
  const now = clock.now()
  const value = vault.encrypt(JSON.stringify(pending), `${about(pool)} ${id}`)
  await store.change({
    pool: pool.id,
    now,
    adds: [{ kind: 'session', id, user: '', expires: now + life, value }],
  })
  const { loginHint: hint, maxAge, prompt } = request
  return buildAuthorizationUrl(config, {
    redirect_uri: providerCallback(engine, pool),
    scope: provider.scopes.join(' '),
    state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(hint !== undefined && { login_hint: hint }),
    ...(maxAge !== undefined && { max_age: String(maxAge / 1000) }),
    ...(prompt.includes('login') && { prompt: 'login' }),
  }).href
}

/** A browser that has come back from a provider. */
export interface ReturnedBrowser {
  /** The parameters of the client's request. */
  readonly query: string
  readonly caller: ClientCaller
  readonly request: AuthorizationRequest
  readonly session: NewBrowserSession
}

/**
 * Checks the state, nonce, issuer and PKCE of a provider's answer. An answer can be used only once.
 * @throws OAuthError for an answer that this browser did not ask for, and when the provider or the pool refuses the
 * user
 */
export async function completeProviderSignIn(
  engine: EngineContext,
  pool: PoolSettings,
  query: URLSearchParams,
  cookie: string | undefined,
  {
    sdk,
    address,
    connecting,
  }: Pick<ClientCaller, 'sdk' | 'address'> & { readonly connecting?: string | undefined },
): Promise<ReturnedBrowser> {
  const { store, vault, clock } = engine
  const state = query.get('state') ?? ''
  const id = vault.digest(state, about(pool))
  const found = await store.credential(pool.id, 'session', id, clock.now())
  const text = found && vault.decrypt(found.value, `${about(pool)} ${id}`)
  if (found === undefined || text === undefined) throw notAsked()
  const pending = JSON.parse(text) as Pending
  if (cookie === undefined || !isSame(pending.browser, browserOf(engine, pool, cookie))) throw notAsked()
  const refusal = await store.change({
    pool: pool.id,
    now: clock.now(),
    uses: [{ kind: 'session', id, value: found.value }],
  })
  if (refusal !== undefined) throw notAsked()
  const parameters = new URLSearchParams(pending.query)
  const request = await readAuthorizationRequest(engine, pool, parameters, { address, connecting })
  const caller = { pool, client: request.client, sdk, address, isHosted: true }
  const provider = pool.identityProviders.find(({ name }) => name === pending.provider)
  if (provider === undefined) throw refused(request, 'The identity provider is gone.')
  const url = new URL(`${providerCallback(engine, pool)}?${query}`)
  const answer = await providerAnswer(engine, provider, request, url, pending, state)
  try {
    const user = await engine.countSignIn(pool, () => federatedUser(engine, caller, provider, answer))
    const session = newBrowserSession(engine, caller, user)
    const puts = await keptSignIn(engine, caller, user, { response: 'Pass' })
    await store.change({ pool: pool.id, now: clock.now(), adds: [session.credential], puts })
    return { caller, request, session, query: pending.query }
  } catch (error) {
    if (error instanceof UserPoolError && error.type !== 'InternalErrorException')
      throw refused(request, error.message)
    throw error
  }
}

async function providerAnswer(
  engine: EngineContext,
  provider: IdentityProviderSettings,
  request: AuthorizationRequest,
  url: URL,
  { verifier, nonce }: Pending,
  expectedState: string,
): Promise<ProviderAnswer> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const config = await configuration(engine, provider, request)
  const refusal = (why: string | undefined) =>
    refused(
      request,
      `The identity provider ${provider.name} did not sign the user in${why === undefined ? '' : `: ${why}`}.`,
    )
  try {
    const tokens = await authorizationCodeGrant(config, url, {
      expectedState,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const idToken = tokens.claims()!
    // All users with an empty subject would have one account (OpenID Connect Core, 2).
    if (idToken.sub === '' || idToken.sub.length > 255)
      throw refusal('the claim sub must have 1 to 255 characters')
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = hasUserInfo ? await fetchUserInfo(config, tokens.access_token, idToken.sub) : undefined
    return { tokenResponse: { ...tokens }, idToken, userInfo }
  } catch (error) {
    throw error instanceof OAuthError ? error : refusal(reasonOf(error))
  }
}

/**
 * Returns why a provider's answer is refused: the name of the provider's error, or what the client library says about the
 * answer. The text of the provider's error is not repeated, because it could contain anything, even tokens.
 */
function reasonOf(error: unknown): string | undefined {
  const { error: type, cause } = error as { readonly error?: unknown; readonly cause?: unknown }
  if (typeof type === 'string' && /^\w{1,40}$/.test(type)) return type
  // Errors with these names have fixed texts. The description of an OAuth error has no quotation marks (RFC 6749, 4.1.2.1).
  return cause instanceof Error && /^(OperationProcessing|UnsupportedOperation)Error$/.test(cause.name)
    ? cause.message.replaceAll('"', '')
    : undefined
}

/** Returns the client of a provider. */
async function configuration(
  { providers, notice }: Pick<EngineContext, 'providers' | 'notice'>,
  provider: IdentityProviderSettings,
  request: AuthorizationRequest,
): Promise<Configuration> {
  try {
    return await providers.clientOf(provider)
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    notice(`The identity provider ${provider.name} cannot be reached: ${why}`)
    throw refused(request, `The identity provider ${provider.name} cannot be reached.`)
  }
}

function refused(request: AuthorizationRequest, message: string): OAuthError {
  return new OAuthError('access_denied', message, unansweredAddress(request))
}

function notAsked(): OAuthError {
  return new OAuthError('invalid_request', 'This browser did not ask for this sign-in, or it took too long.')
}
