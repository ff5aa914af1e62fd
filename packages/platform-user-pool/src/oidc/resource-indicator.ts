import { identityScopes } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { resourceScopes } from '../tokens/scopes.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Returns the resource that a request names, which becomes the audience of the access token (RFC 8707, 2). It is the
 * identifier of a resource server of the pool, and a URL.
 * @throws OAuthError for several resources, and for an unknown one
 */
export function requestedResource(
  { resourceServers }: Pick<PoolSettings, 'resourceServers'>,
  sent: readonly string[],
): string | undefined {
  const [resource, ...more] = [...new Set(sent.filter(each => each !== ''))]
  if (resource === undefined) return undefined
  if (more.length > 0) throw new OAuthError('invalid_target', 'A token is for one resource.')
  const found = resourceServers.find(({ identifier }) => isSameResource(identifier, resource))
  if (!isResource(resource) || found === undefined)
    throw new OAuthError('invalid_target', 'The pool has no resource server with this identifier.')
  return found.identifier
}

/** Returns whether two texts name a resource. Clients that read a URL without a path write it with a slash. */
function isSameResource(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/^(https?:\/\/[^/?#]+)\/$/, '$1')
  return plain(one) === plain(other)
}

/** Returns whether a text is a URL without a fragment. */
function isResource(text: string): boolean {
  return URL.canParse(text) && !text.includes('#')
}

/**
 * Returns the resource for tokens of a grant. A client may repeat the resource that was granted.
 * @throws OAuthError for another resource, because the user has not granted it
 */
export function grantedResource(granted: string | undefined, sent: readonly string[]): string | undefined {
  if (sent.some(each => each !== '' && (granted === undefined || !isSameResource(granted, each))))
    throw new OAuthError('invalid_target', 'The grant is not for this resource.')
  return granted
}

/**
 * Returns the scopes that a token for a resource can have. A token with an audience has no scopes of other resource
 * servers, and does not let the resource manage the user's account.
 */
export function scopesAt(
  pool: Pick<PoolSettings, 'resourceServers'>,
  resource: string | undefined,
  scopes: readonly string[],
): readonly string[] {
  if (resource === undefined) return scopes
  const own = resourceScopes({
    resourceServers: pool.resourceServers.filter(({ identifier }) => identifier === resource),
  })
  return scopes.filter(scope => identityScopes.includes(scope) || own.includes(scope))
}
