import { withParameters } from '../config/redirect-address.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { newAuthorizationCode } from './authorization-codes.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { type BrowserSession, browserSessionOf } from './browser-sessions.ts'
import { hinted } from './id-token-hint.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Returns the redirect address for an authorization request if the user is already signed in, or undefined if the user
 * has to sign in first.
 * @throws OAuthError when the user has to sign in and the request forbids it
 */
export async function authorizedAddress(
  engine: EngineContext,
  caller: ClientCaller,
  request: AuthorizationRequest,
  cookie: string | undefined,
): Promise<string | undefined> {
  const { prompt, maxAge, idTokenHint, redirectUri, state } = request
  const session = await browserSessionOf(engine, caller.pool, cookie, reuseOf(caller))
  const isFresh =
    session !== undefined &&
    (maxAge === undefined || Math.abs(engine.clock.now() - session.authTime) < maxAge)
  const mustAsk = prompt.includes('login') || prompt.includes('select_account')
  // A client that expects a certain user must not get a code for someone else.
  const isExpected =
    idTokenHint === undefined || (await hinted(engine, caller.pool, idTokenHint))?.user === session?.user.id
  if (isFresh && isExpected && !mustAsk) return codeAddress(engine, caller, request, session)
  if (prompt.includes('none'))
    throw new OAuthError('login_required', 'The user is not signed in.', { redirectUri, state })
  return undefined
}

/** Returns how many milliseconds after a sign-in the client gets codes without asking the user. */
function reuseOf({ pool, client }: ClientCaller): number | undefined {
  return pool.sessions === undefined ? undefined : client.reuse
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
