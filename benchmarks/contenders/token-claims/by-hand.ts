import { isObject, isTextList, isTextMap } from '../shapes.ts'
import type { TokenGeneration } from '../token-generation/by-hand.ts'

/**
 * Claims that only the platform may set, and claims that functions set through other response fields
 * (docs/contract/user-pool.md#pre-token-generation).
 */
export const reserved = [
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
]
const ofGroups = ['pool:groups', 'pool:roles', 'pool:preferred_role']
export const reservedClaims = new Set(reserved)
export const unsettableClaims = new Set([...reserved, ...ofGroups])

/**
 * Returns the answer to an event, which is the same in all contenders. The answer breaks a rule if the event asks for
 * such an answer.
 */
export function claimsFor(event: TokenGeneration): object {
  const wish = event.request.clientMetadata?.campaign
  const odd = wish === undefined ? undefined : oddAnswers[wish]
  return (
    odd ?? {
      claimsOverrideDetails: {
        claimsToAddOrOverride: { tenant: 't1', name: event.userName },
        claimsToSuppress: ['email'],
      },
    }
  )
}

/** Unusual and invalid answers, by the value of `clientMetadata.campaign` that asks for them. */
export const oddAnswers: Readonly<Record<string, object>> = {
  'no claims': {},
  'null claims': { claimsOverrideDetails: null },
  groups: {
    claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: ['a'], preferredRole: 'r' } },
  },
  'a reserved claim': { claimsOverrideDetails: { claimsToAddOrOverride: { sub: 'somebody else' } } },
  'a group claim': { claimsOverrideDetails: { claimsToAddOrOverride: { 'pool:groups': 'admin' } } },
  'a reserved claim suppressed': { claimsOverrideDetails: { claimsToSuppress: ['email', 'exp'] } },
  'a number': { claimsOverrideDetails: { claimsToAddOrOverride: { age: 7 } } },
  'an unknown field': { autoConfirmUser: true },
  'an unknown field below': { claimsOverrideDetails: { claimsToSupress: ['email'] } },
  'groups as text': { claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: 'a' } } },
}

/** Checks an answer by hand. No contender can take less time. */
export function isClaimsAnswer(u: unknown): u is TokenGeneration['response'] {
  if (!isObject(u)) return false
  for (const key in u) if (key !== 'claimsOverrideDetails') return false
  const details = u.claimsOverrideDetails
  if (details == null) return true
  if (!isObject(details)) return false
  for (const key in details) {
    const value = details[key]
    if (value == null) continue
    if (key === 'claimsToAddOrOverride') {
      if (!isTextMap(value)) return false
      for (const claim in value as object) if (unsettableClaims.has(claim)) return false
    } else if (key === 'claimsToSuppress') {
      if (!isTextList(value)) return false
      for (const claim of value as string[]) if (reservedClaims.has(claim)) return false
    } else if (key === 'groupOverrideDetails') {
      if (!isGroupOverride(value)) return false
    } else return false
  }
  return true
}

function isGroupOverride(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const key in u) {
    const value = u[key]
    if (value == null) continue
    if (key === 'preferredRole' ? typeof value !== 'string' : !isTextList(value)) return false
    if (key !== 'preferredRole' && key !== 'groupsToOverride' && key !== 'accessRolesToOverride') return false
  }
  return true
}
