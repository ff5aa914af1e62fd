import { withParameters } from '../config/redirect-address.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { hinted } from './id-token-hint.ts'
import { OAuthError } from './oauth-error.ts'
import { parameters } from './parameters.ts'

/** Where a browser goes after a sign-out: to the client, to the sign-in page, or to a page that says so. */
export type LogoutTarget = { readonly address: string } | { readonly shows: 'sign-in' | 'signed out' }

/**
 * Reads where a sign-out request leads. With `logout_uri` (`post_logout_redirect_uri` in OpenID Connect), the browser
 * goes to that address. With the parameters of an authorization request, it goes to the sign-in page. Without both, a
 * page says that the user is signed out. Without `client_id`, the client is the one in `id_token_hint` (OpenID Connect
 * RP-Initiated Logout, 2).
 * @throws OAuthError for an address that no client of the request may use
 */
export async function logoutTarget(
  engine: Pick<EngineContext, 'keys' | 'issuer'>,
  pool: PoolSettings,
  query: URLSearchParams,
): Promise<LogoutTarget> {
  const { get, refuseRepeated } = parameters(query)
  const once = [
    'client_id',
    'id_token_hint',
    'logout_uri',
    'post_logout_redirect_uri',
    'redirect_uri',
    'state',
  ]
  refuseRepeated(once)
  const hint = get('id_token_hint')
  const issuedTo = hint === undefined ? undefined : (await hinted(engine, pool, hint))?.client
  const id = get('client_id') ?? issuedTo
  const address = get('logout_uri') ?? get('post_logout_redirect_uri')
  const redirectUri = get('redirect_uri')
  if (issuedTo !== undefined && issuedTo !== id)
    throw new OAuthError('invalid_request', 'The id_token_hint is of another client.')
  const client = pool.clients.find(each => each.id === id)
  if (client === undefined && (id !== undefined || address !== undefined || redirectUri !== undefined))
    throw new OAuthError('invalid_request', 'There is no client with this client_id.')
  if (address !== undefined) {
    if (!client!.oauth.logouts.includes(address))
      throw new OAuthError('invalid_request', 'The logout_uri is not one of those that the client has.')
    return { address: withParameters(address, { state: get('state') }) }
  }
  if (redirectUri === undefined) return { shows: 'signed out' }
  if (!client!.oauth.callbacks.includes(redirectUri))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one of those that the client has.')
  return { shows: 'sign-in' }
}
