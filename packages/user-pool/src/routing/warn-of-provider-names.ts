import { warnOfName } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'

/**
 * Warns when code reads a name of a provider that the event has under its neutral name: a user attribute such as
 * `cognito:user_status`, `iamRolesToOverride`, `awsSdkVersion`, or a scope such as `aws.cognito.signin.user.admin`. Types
 * find this mistake only for literal names.
 */
export function warnOfProviderNames({ triggerSource, request, callerContext }: TriggerEvent): void {
  const { userAttributes, groupConfiguration, scopes } = Object(request) as Record<string, unknown>
  for (const name of Object.keys(Object(userAttributes)))
    warnOfName(userAttributes, name, name.replace(/^pool:/, 'cognito:'), triggerSource, 'userAttributes')
  const roles = 'accessRolesToOverride'
  warnOfName(groupConfiguration, roles, 'iamRolesToOverride', triggerSource, 'groupConfiguration')
  warnOfName(callerContext, 'cloudSdkVersion', 'awsSdkVersion', triggerSource, 'callerContext')
  if (Array.isArray(scopes) && Object.isExtensible(scopes)) warnOfScopes(scopes, triggerSource)
}

/** Replaces the methods with which code looks for a scope by others that warn. */
function warnOfScopes(scopes: unknown[], source: string): void {
  for (const method of ['includes', 'indexOf'] as const) {
    const look = scopes[method] as (...args: unknown[]) => unknown
    const value = (scope: unknown, ...rest: unknown[]) => {
      const meant = String(scope).replace(/^aws\.cognito\./, 'cloud.pool.')
      const all = [...scopes]
      if (!all.includes(scope) && all.includes(meant))
        console.warn(`${source}: write ${meant} for ${scope} in scopes.`)
      return look.call(scopes, scope, ...rest)
    }
    Object.defineProperty(scopes, method, { configurable: true, writable: true, value })
  }
}
