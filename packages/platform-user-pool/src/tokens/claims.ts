import type { ClaimValue, TriggerResponse } from '@signalbox/user-pool/contract'
import type { Group } from '../store/user-pool-store.ts'
import type { Attributes } from '../users/attributes.ts'
import { identitiesAttribute } from '../users/identities.ts'

export interface TokenGroups {
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly preferredRole: string | undefined
}

/** The claims of a token, under the names that clients see. */
export type Claims = { readonly [name: string]: unknown }

/** Returns the group names, the roles and the preferred role for the tokens of a user. */
export function tokenGroups(groups: readonly Group[]): TokenGroups {
  const roles = groups.flatMap(({ role }) => (role === undefined ? [] : [role]))
  const lowest = Math.min(...groups.map(({ precedence = Number.POSITIVE_INFINITY }) => precedence))
  const first = groups.filter(({ precedence, role }) => precedence === lowest && role !== undefined)
  // No role is preferred when several groups share the lowest precedence and have different roles.
  const preferred = new Set(first.map(({ role }) => role)).size === 1 ? first[0]!.role : undefined
  return { groups: groups.map(({ name }) => name), roles: [...new Set(roles)], preferredRole: preferred }
}

type Overrides = TriggerResponse<'TokenGeneration'>

/** The changes that a trigger makes to tokens. */
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

/**
 * Returns the changes in a trigger's response. Version 1 changes only the identity token, and later versions change
 * both tokens.
 */
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
  details:
    | {
        readonly claimsToAddOrOverride?: { readonly [name: string]: ClaimValue } | null | undefined
        readonly claimsToSuppress?: readonly string[] | null | undefined
      }
    | null
    | undefined,
): ClaimOverrides {
  if (details == null) return none
  return { set: details.claimsToAddOrOverride ?? {}, suppress: details.claimsToSuppress ?? [] }
}

/** Applies a trigger's changes to claims. If a claim is both suppressed and overridden, it stays suppressed. */
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

/** Returns the name of a claim in tokens, such as `cognito:groups` for `pool:groups`. */
function wireName(name: string): string {
  return name.startsWith('pool:') ? `cognito:${name.slice('pool:'.length)}` : name
}

/** Returns the group claims of a token. A claim without a value is undefined. */
export function groupClaimsOf({ groups, roles, preferredRole }: TokenGroups): Claims {
  return {
    'cognito:groups': groups.length === 0 ? undefined : groups,
    'cognito:roles': roles.length === 0 ? undefined : roles,
    'cognito:preferred_role': preferredRole,
  }
}

/** Returns the claims of an identity token about the user's attributes. */
export function attributeClaims(attributes: Attributes): Claims {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, claimOf(name, value)]))
}

function claimOf(name: string, value: Attributes[string]): unknown {
  if (name === 'email_verified' || name === 'phone_number_verified') return value === 'true'
  if (name === identitiesAttribute) return JSON.parse(value)
  // In OpenID Connect, the claim `address` is an object.
  return name === 'address' ? { formatted: value } : value
}
