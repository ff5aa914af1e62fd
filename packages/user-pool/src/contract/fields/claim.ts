/** The reserved claims, which no trigger may set or suppress. The contract does not list them. */
export const reservedClaims = [
  'acr',
  'amr',
  'aud',
  'at_hash',
  'auth_time',
  'azp',
  'exp',
  'iat',
  'identities',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'origin_jti',
  'sub',
  'token_use',
] as const

/** Claims about groups, which only `groupOverrideDetails` sets (docs/contract/user-pool.md#pre-token-generation). */
export const groupClaims = ['pool:groups', 'pool:roles', 'pool:preferred_role'] as const

/** The group claims by both of their names: in events, and in tokens, such as `cognito:groups`. */
export const groupClaimNames: readonly string[] = /* @__PURE__ */ groupClaims.flatMap(name => [
  name,
  name.replace('pool:', 'cognito:'),
])

/**
 * The versions of the token-generation event whose answers can also change access tokens. The contract does not list
 * them.
 */
export const scopeVersions: readonly string[] = ['2', '3']

/** The value of a claim in a version 2 or 3 answer. Version 1 accepts only strings. The contract does not say this. */
export type ClaimValue =
  | string
  | number
  | boolean
  | readonly ClaimValue[]
  | { readonly [name: string]: ClaimValue }

/** Returns whether the platform reads `claimsAndScopeOverrideDetails` from the answer to this event. */
export function takesScopes(event: {
  readonly version: string
  readonly request?: { readonly scopes?: unknown }
}): boolean {
  return scopeVersions.includes(event.version) || Array.isArray(event.request?.scopes)
}
