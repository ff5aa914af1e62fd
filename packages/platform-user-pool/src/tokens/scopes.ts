import { identityScopes } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { Claims } from './claims.ts'

/** Returns the scopes of a pool's resource servers, such as `https://orders.example/read`. */
export function resourceScopes({ resourceServers }: Pick<PoolSettings, 'resourceServers'>): string[] {
  return resourceServers.flatMap(({ identifier, scopes }) =>
    scopes.map(({ name }) => `${identifier}/${name}`),
  )
}

const claimsByScope: { readonly [scope: string]: readonly string[] } = {
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
}

/**
 * Returns the user's claims that scopes allow. With `profile`, they allow all claims, and on the service also with `openid`
 * as the only OpenID Connect scope.
 * @param isNarrow whether `openid` alone allows none, because users have consented to no more
 */
export function claimsOfScopes(claims: Claims, scopes: readonly string[], isNarrow: boolean): Claims {
  const asked = scopes.filter(scope => identityScopes.includes(scope) && scope !== 'openid')
  if (asked.includes('profile') || (asked.length === 0 && !isNarrow)) return claims
  const allowed = asked.flatMap(scope => claimsByScope[scope] ?? [])
  return Object.fromEntries(Object.entries(claims).filter(([name]) => allowed.includes(name)))
}
