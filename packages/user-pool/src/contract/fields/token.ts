import type { ClaimValue } from './claim.ts'
import { extension, object, optional } from './field.ts'
import { filled, list, type Shape, text, textMap } from './shape.ts'

const names = list(text)

/** The claims of a version 2 or 3 answer: any JSON except null. The contract does not define them. */
const claimMap: Shape<{ readonly [name: string]: ClaimValue }> = { kind: 'claim-map' }

/** Groups and their roles (docs/contract/user-pool.md#pre-token-generation). */
const groupFields = {
  /** Names of the groups. */
  groupsToOverride: optional(names),
  /** Access roles of these groups. */
  accessRolesToOverride: optional(names),
  /** The preferred role. */
  preferredRole: optional(text),
}

/** The groups of the user. */
export const groupConfiguration = filled(object('group configuration', groupFields))

/** The groups of the token. */
const groupOverrideDetails = object('group override', groupFields)

/**
 * The changes that a version 1 answer makes to the identity token (docs/contract/user-pool.md#pre-token-generation).
 */
export const claimsOverrideDetails = object('claims override', {
  /** Claims to add or to override, by name. */
  claimsToAddOrOverride: optional(textMap),
  /** Names of claims to remove. Suppression wins over an override (extension). */
  claimsToSuppress: optional(names),
  /** Changes to the group claims. */
  groupOverrideDetails: optional(groupOverrideDetails),
})

/** The changes that a version 2 or 3 answer makes to both tokens. The contract does not define them. */
export const claimsAndScopeOverrideDetails = object('claims and scope override', {
  /** Changes to the identity token. */
  idTokenGeneration: extension(
    optional(
      object('identity token', {
        /** Claims to add or to override, by name. */
        claimsToAddOrOverride: extension(optional(claimMap)),
        /** Names of claims to remove. Suppression wins over an override (extension). */
        claimsToSuppress: extension(optional(names)),
      }),
    ),
  ),
  /** Changes to the access token. */
  accessTokenGeneration: extension(
    optional(
      object('access token', {
        /** Claims to add or to override, by name. */
        claimsToAddOrOverride: extension(optional(claimMap)),
        /** Names of claims to remove. Suppression wins over an override (extension). */
        claimsToSuppress: extension(optional(names)),
        /** Scopes to add. */
        scopesToAdd: extension(optional(names)),
        /** Scopes to remove. */
        scopesToSuppress: extension(optional(names)),
      }),
    ),
  ),
  /** Changes to the group claims. */
  groupOverrideDetails: extension(optional(groupOverrideDetails)),
})
