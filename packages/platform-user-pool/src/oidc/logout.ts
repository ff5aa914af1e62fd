import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import { OAuthError } from './oauth-error.ts'
import { parameters } from './parameters.ts'
import { withParameters } from './redirect-address.ts'

/** Where a browser goes after a sign-out, which is either the client or the sign-in page. */
export type LogoutTarget =
  | { readonly address: string; readonly client: ClientSettings }
  | { readonly signIn: true; readonly client: ClientSettings }

/**
 * Checks a sign-out request. With `logout_uri` (`post_logout_redirect_uri` in OpenID Connect), the browser goes to
 * that address. With the parameters of an authorization request, it goes to the sign-in page.
 * @throws OAuthError for an unknown client, and for an address that the client may not use
 */
export function logoutTarget(pool: PoolSettings, query: URLSearchParams): LogoutTarget {
  const { get, refuseRepeated } = parameters(query)
  refuseRepeated(['client_id', 'logout_uri', 'post_logout_redirect_uri', 'redirect_uri', 'state'])
  const client = pool.clients.find(({ id }) => id === get('client_id'))
  if (client === undefined) throw new OAuthError('invalid_request', 'There is no client with this client_id.')
  const address = get('logout_uri') ?? get('post_logout_redirect_uri')
  if (address !== undefined) {
    if (!client.oauth.logouts.includes(address))
      throw new OAuthError('invalid_request', 'The logout_uri is not one of those that the client has.')
    return { address: withParameters(address, { state: get('state') }), client }
  }
  const redirectUri = get('redirect_uri')
  if (redirectUri === undefined)
    throw new OAuthError('invalid_request', 'A logout_uri or a redirect_uri is missing.')
  if (!client.oauth.callbacks.includes(redirectUri))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one of those that the client has.')
  return { signIn: true, client }
}
