import type { ClaimValue, TriggerResponse } from '@signalbox/user-pool/contract'
import type { Attributes } from '../flows/accounts.ts'
import type { Group, User } from '../store/user-pool-store.ts'

/** The groups that tokens name. */
export interface TokenGroups {
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly preferredRole: string | undefined
}

/** Claims of a token, in the words that clients know. */
export type Claims = { readonly [name: string]: unknown }

/** The groups of a user, in order of precedence. */
export function tokenGroups(groups: readonly Group[]): TokenGroups {
  const roles = groups.flatMap(({ role }) => (role === undefined ? [] : [role]))
  const lowest = Math.min(...groups.map(({ precedence = Number.POSITIVE_INFINITY }) => precedence))
  const first = groups.filter(({ precedence, role }) => precedence === lowest && role !== undefined)
  // With the same precedence, two roles leave it open.
  const preferred = new Set(first.map(({ role }) => role)).size === 1 ? first[0]!.role : undefined
  return { groups: groups.map(({ name }) => name), roles: [...new Set(roles)], preferredRole: preferred }
}

type Overrides = TriggerResponse<'TokenGeneration'>

/** What a trigger changes about the tokens. */
export interface TokenOverrides {
  readonly groups: TokenGroups
  readonly id: ClaimOverrides
  readonly access: ClaimOverrides
  readonly scopes: readonly string[]
}

interface ClaimOverrides {
  readonly set: { readonly [name: string]: ClaimValue }
  readonly suppress: readonly string[]
}

const none: ClaimOverrides = { set: {}, suppress: [] }

/** What of the tokens a trigger changes: of version 1 the identity token alone, later ones both. */
export function overridesOf(
  response: Overrides | undefined,
  groups: TokenGroups,
  scopes: readonly string[],
): TokenOverrides {
  const { claimsOverrideDetails: one, claimsAndScopeOverrideDetails: both } = response ?? {}
  const changed = both?.groupOverrideDetails ?? one?.groupOverrideDetails
  const access = both?.accessTokenGeneration
  return {
    groups:
      changed == null
        ? groups
        : {
            groups: changed.groupsToOverride ?? [],
            roles: changed.accessRolesToOverride ?? [],
            preferredRole: changed.preferredRole ?? undefined,
          },
    id: both == null ? claimOverrides(one) : claimOverrides(both.idTokenGeneration),
    access: claimOverrides(access),
    scopes: [
      ...scopes.filter(scope => !access?.scopesToSuppress?.includes(scope)),
      ...(access?.scopesToAdd ?? []).filter(
        scope => !scopes.includes(scope) && !access?.scopesToSuppress?.includes(scope),
      ),
    ],
  }
}

function claimOverrides(
  given:
    | {
        readonly claimsToAddOrOverride?: { readonly [name: string]: ClaimValue } | null | undefined
        readonly claimsToSuppress?: readonly string[] | null | undefined
      }
    | null
    | undefined,
): ClaimOverrides {
  if (given == null) return none
  return { set: given.claimsToAddOrOverride ?? {}, suppress: given.claimsToSuppress ?? [] }
}

/** Claims with what a trigger changes. Suppressing beats overriding. */
export function overridden(claims: Claims, { set, suppress }: ClaimOverrides): Claims {
  const suppressed = new Set(suppress.map(wireName))
  const all = {
    ...claims,
    ...Object.fromEntries(Object.entries(set).map(([name, value]) => [wireName(name), value])),
  }
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && !suppressed.has(name)),
  )
}

/** The name that clients know a claim by: `cognito:groups` for `pool:groups`. */
function wireName(name: string): string {
  return name.startsWith('pool:') ? `cognito:${name.slice('pool:'.length)}` : name
}

/** The group claims of a token; absent when there are none. */
export function groupClaimsOf({ groups, roles, preferredRole }: TokenGroups): Claims {
  return {
    'cognito:groups': groups.length === 0 ? undefined : groups,
    'cognito:roles': roles.length === 0 ? undefined : roles,
    'cognito:preferred_role': preferredRole,
  }
}

/** The claims about a user that identity tokens have. */
export function attributeClaims({ attributes }: Pick<User, 'attributes'>): Claims {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, claimOf(name, value)]))
}

function claimOf(name: string, value: Attributes[string]): unknown {
  if (name === 'email_verified' || name === 'phone_number_verified') return value === 'true'
  // OpenID Connect has an object there.
  return name === 'address' ? { formatted: value } : value
}
