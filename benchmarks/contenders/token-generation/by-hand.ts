import { isObject, isTextList, isTextMap } from '../shapes.ts'

/** The event that the contenders check. */
export interface TokenGeneration {
  readonly version: string
  readonly triggerSource: string
  readonly userName: string
  readonly request: {
    readonly userAttributes: Readonly<Record<string, string>>
    readonly clientMetadata?: Readonly<Record<string, string>> | null
  }
  response: object
}

export const sources = [
  'TokenGeneration_HostedAuth',
  'TokenGeneration_Authentication',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
  'TokenGeneration_RefreshTokens',
] as const

/** Checks by hand exactly what the other contenders check. No contender can take less time. */
export function isTokenGeneration(u: unknown): u is TokenGeneration {
  if (!isObject(u)) return false
  const { callerContext, request } = u
  if (
    typeof u.version !== 'string' ||
    typeof u.region !== 'string' ||
    typeof u.userPoolId !== 'string' ||
    !isSource(u.triggerSource) ||
    typeof u.userName !== 'string' ||
    !isObject(callerContext) ||
    typeof callerContext.cloudSdkVersion !== 'string' ||
    typeof callerContext.clientId !== 'string' ||
    !isObject(u.response) ||
    !isObject(request) ||
    !isTextMap(request.userAttributes) ||
    (request.clientMetadata != null && !isTextMap(request.clientMetadata)) ||
    !isObject(request.groupConfiguration)
  )
    return false
  const { groupsToOverride, accessRolesToOverride, preferredRole } = request.groupConfiguration
  return (
    (groupsToOverride == null || isTextList(groupsToOverride)) &&
    (accessRolesToOverride == null || isTextList(accessRolesToOverride)) &&
    (preferredRole == null || typeof preferredRole === 'string')
  )
}

function isSource(u: unknown): boolean {
  return u === sources[1] || u === sources[0] || u === sources[2] || u === sources[3] || u === sources[4]
}
