/**
 * The reserved claims, which no trigger may set or suppress, as the service documents them ("Claims and scopes
 * reference"). The contract does not list them.
 */
export const reservedClaims = [
  'acr',
  'amr',
  'aud',
  'at_hash',
  'auth_time',
  'azp',
  'client_id',
  'device_key',
  'event_id',
  'exp',
  'iat',
  'identities',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'origin_jti',
  'scope',
  'sub',
  'token_use',
  'username',
  'version',
] as const

/** Claims about groups, which only `groupOverrideDetails` sets (docs/contract/user-pool.md#pre-token-generation). */
export const groupClaims = ['pool:groups', 'pool:roles', 'pool:preferred_role'] as const

/** The group claims by both of their names: in events, and in tokens, such as `cognito:groups`. */
export const groupClaimNames: readonly string[] = /* @__PURE__ */ groupClaims.flatMap(name => [
  name,
  name.replace('pool:', 'cognito:'),
])

/** Claims with these prefixes are reserved, too, except the group claims. */
const reservedPrefixes = ['pool:', 'cognito:'] as const

/** Attributes of developers have this prefix. A trigger may suppress them, but not set them. */
const developerPrefix = 'dev:'

const reserved: ReadonlySet<string> = /* @__PURE__ */ new Set(reservedClaims)

/**
 * Returns what is expected instead of a claim that an answer sets or suppresses, or undefined for a claim that it may
 * set or suppress. The contract does not say this; the service's reference of claims and scopes does.
 */
export function expectedInsteadOfClaim(name: string, change: 'set' | 'suppress'): string | undefined {
  // Most claims are free, and have no prefix.
  if (!reserved.has(name) && !name.includes(':')) return undefined
  if (groupClaimNames.includes(name))
    return change === 'set' ? 'group claims in groupOverrideDetails only' : undefined
  if (name === 'scope') return 'scopes in scopesToAdd and scopesToSuppress only'
  if (reserved.has(name) || reservedPrefixes.some(prefix => name.startsWith(prefix)))
    return 'no reserved claim'
  if (change === 'set' && name.startsWith(developerPrefix)) return 'no claim of developers (dev:)'
  return undefined
}

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

/**
 * Returns whether the platform reads `claimsAndScopeOverrideDetails` from the answer to this event.
 * @example
 * ```ts
 * import { takesScopes } from '@signalbox/user-pool/contract'
 *
 * takesScopes({ version: '2' }) // true
 * takesScopes({ version: '1' }) // false
 * ```
 */
export function takesScopes(event: {
  readonly version: string
  readonly request?: { readonly scopes?: unknown }
}): boolean {
  return scopeVersions.includes(event.version) || Array.isArray(event.request?.scopes)
}
