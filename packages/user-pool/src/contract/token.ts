import { claimMap } from './claim-map.ts'
import { extension, object, optional } from './field.ts'
import { filled, list, text, textMap } from './shape.ts'

const names = list(text)

/** Groups and the roles that come with them (contract A.2, pre token generation). */
const groupFields = {
  groupsToOverride: optional(names),
  accessRolesToOverride: optional(names),
  preferredRole: optional(text),
}

/** The groups that the user has. */
export const groupConfiguration = filled(object('group configuration', groupFields))

/** The groups that the token shall have. */
const groupOverrideDetails = object('group override', groupFields)

/** What a version 1 answer says about the identity token (contract A, pre token generation). */
export const claimsOverrideDetails = object('claims override', {
  claimsToAddOrOverride: optional(textMap),
  claimsToSuppress: optional(names),
  groupOverrideDetails: optional(groupOverrideDetails),
})

/** What a version 2 or 3 answer says about both tokens. Extension. */
export const claimsAndScopeOverrideDetails = object('claims and scope override', {
  idTokenGeneration: extension(
    optional(
      object('identity token', {
        claimsToAddOrOverride: extension(optional(claimMap)),
        claimsToSuppress: extension(optional(names)),
      }),
    ),
  ),
  accessTokenGeneration: extension(
    optional(
      object('access token', {
        claimsToAddOrOverride: extension(optional(claimMap)),
        claimsToSuppress: extension(optional(names)),
        scopesToAdd: extension(optional(names)),
        scopesToSuppress: extension(optional(names)),
      }),
    ),
  ),
  groupOverrideDetails: extension(optional(groupOverrideDetails)),
})
