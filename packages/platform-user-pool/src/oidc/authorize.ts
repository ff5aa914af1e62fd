import { hasConsented, isRemembered } from '../agents/consents.ts'
import { withParameters } from '../config/redirect-address.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { newAuthorizationCode } from './authorization-codes.ts'
import { type AuthorizationRequest, unansweredAddress } from './authorization-request.ts'
import { type BrowserSession, browserSessionOf } from './browser-sessions.ts'
import { hinted } from './id-token-hint.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Returns the browser session for an authorization request. Returns undefined if the user has to sign in first: because
 * nobody has signed in, because the sign-in is too old for the request, or because the client expects someone else.
 */
export async function sessionFor(
  engine: EngineContext,
  caller: ClientCaller,
  { maxAge, idTokenHint }: AuthorizationRequest,
  cookie: string | undefined,
): Promise<BrowserSession | undefined> {
  const session = await browserSessionOf(engine, caller.pool, cookie, reuseOf(caller))
  const isFresh =
    session !== undefined &&
    (maxAge === undefined || Math.abs(engine.clock.now() - session.authTime) < maxAge)
  // A client that expects a certain user must not get a code for someone else.
  const isExpected =
    idTokenHint === undefined || (await hinted(engine, caller.pool, idTokenHint))?.user === session?.user.id
  return isFresh && isExpected ? session : undefined
}

/** Returns whether a client wants the user to sign in even if somebody is signed in. */
export function wantsSignIn({ prompt }: AuthorizationRequest): boolean {
  return prompt.includes('login') || prompt.includes('select_account')
}

/**
 * Returns the redirect address for an authorization request if the user is already signed in, or undefined if the user
 * has to sign in first.
 * @param consentPage the address of the page on which users consent
 * @throws OAuthError when the user has to sign in or to consent, and the request forbids it
 */
export async function authorizedAddress(
  engine: EngineContext,
  caller: ClientCaller,
  request: AuthorizationRequest,
  cookie: string | undefined,
  consentPage: string,
): Promise<string | undefined> {
  const { prompt } = request
  const session = await sessionFor(engine, caller, request, cookie)
  if (session !== undefined && !wantsSignIn(request))
    return signedInAddress(engine, caller, request, session, consentPage)
  if (prompt.includes('none'))
    throw new OAuthError('login_required', 'The user is not signed in.', unansweredAddress(request))
  return undefined
}

/** Returns how many milliseconds after a sign-in the client gets codes without asking the user. */
function reuseOf({ pool, client }: ClientCaller): number | undefined {
  return pool.sessions === undefined ? undefined : client.reuse
}

/**
 * Returns where a browser goes in which a user has signed in: to the client with a code, or first to the page on which
 * users consent, if the client is one that nobody has configured. If the client expects another user, the session ends.
 * @throws OAuthError when the user has to consent, and the request forbids it, and for another user
 */
export async function signedInAddress(
  engine: EngineContext,
  caller: ClientCaller,
  request: AuthorizationRequest,
  session: Pick<BrowserSession, 'id' | 'authTime'> & { readonly user: Pick<BrowserSession['user'], 'id'> },
  consentPage: string,
): Promise<string> {
  const { prompt, idTokenHint } = request
  if (request.device !== undefined) return consentPage
  // A hint that the pool has not signed names nobody, and its client gets a code for whoever has signed in just now.
  const expected = idTokenHint === undefined ? undefined : await hinted(engine, caller.pool, idTokenHint)
  if (expected !== undefined && expected.user !== session.user.id) {
    const ends = [{ kind: 'session', id: session.id }] as const
    await engine.store.change({ pool: caller.pool.id, now: engine.clock.now(), ends })
    const message = 'Another user has signed in than the one in the id_token_hint.'
    throw new OAuthError('login_required', message, unansweredAddress(request))
  }
  const isAgreed =
    caller.client.agent === undefined ||
    (!prompt.includes('consent') &&
      isRemembered(request) &&
      (await hasConsented(engine, caller, request, session)))
  if (isAgreed) return codeAddress(engine, caller, request, session)
  if (prompt.includes('none'))
    throw new OAuthError('consent_required', 'The user has not consented.', unansweredAddress(request))
  return consentPage
}

/** Returns the client's redirect URI with a new authorization code for a user who has signed in. */
export async function codeAddress(
  engine: EngineContext,
  caller: ClientCaller,
  request: AuthorizationRequest,
  session: Pick<BrowserSession, 'id' | 'authTime'> & { readonly user: Pick<BrowserSession['user'], 'id'> },
): Promise<string> {
  const code = await newAuthorizationCode(engine, caller, request, session)
  const { redirectUri, state } = request
  return withParameters(redirectUri, { code, state, iss: engine.issuer(caller.pool) })
}

/**
 * Returns the client's redirect URI with an error. Returns undefined for an error that must not be sent to a client.
 */
export function errorRedirectUri(
  { issuer }: Pick<EngineContext, 'issuer'>,
  { pool }: Pick<ClientCaller, 'pool'>,
  { type, message, returnTo }: OAuthError,
): string | undefined {
  if (returnTo === undefined) return undefined
  const { redirectUri, state } = returnTo
  return withParameters(redirectUri, { error: type, error_description: message, state, iss: issuer(pool) })
}
