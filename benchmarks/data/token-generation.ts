/** Returns a token-generation event as JSON text, with the given number of user attributes. */
export function tokenGenerationText(attributes = 4, user = 0): string {
  const known: Record<string, string> = {
    sub: `5d0e2a5c-0f3b-4d5a-9a39-${String(user).padStart(12, '0')}`,
    email_verified: 'true',
    'pool:user_status': 'CONFIRMED',
    email: `user-${user}@example.com`,
  }
  for (let i = Object.keys(known).length; i < attributes; i++) known[`custom:attribute-${i}`] = `value ${i}`
  return JSON.stringify({
    version: '1',
    region: 'region-1',
    userPoolId: 'region-1_examplepool',
    triggerSource: 'TokenGeneration_Authentication',
    userName: `user-${user}`,
    callerContext: { cloudSdkVersion: 'cloud-sdk-1.0.0', clientId: '4example5client6id' },
    request: {
      userAttributes: Object.fromEntries(Object.entries(known).slice(0, attributes)),
      groupConfiguration: {
        groupsToOverride: ['staff'],
        accessRolesToOverride: ['role/staff'],
        preferredRole: null,
      },
      clientMetadata: { campaign: 'spring' },
    },
    response: {},
  })
}

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null

/** An event that looks unusual, or breaks one rule. */
export interface Variant {
  readonly event: Json
  /**
   * Whether the event departs from the contract in a way that normalizers repair. Only contenders with a normalizer
   * accept an event with drift.
   */
  readonly drift: boolean
}

/** Returns valid and invalid events, which all contenders have to tell apart. */
export function tokenGenerationVariants(): readonly Variant[] {
  return [
    changed(),
    changed('unknown', { kept: true }),
    changed('request.groupConfiguration', {}),
    changed('request.groupConfiguration.preferredRole', 'role/staff'),
    changed('request.userAttributes', {}),
    changed('version', 1),
    changed('region', undefined),
    changed('userPoolId', null),
    changed('triggerSource', 'TokenNothing_Authentication'),
    changed('userName', []),
    changed('callerContext', 'none'),
    changed('callerContext.clientId', 7),
    changed('request.userAttributes', ['a']),
    changed('request.userAttributes.email', { a: 1 }),
    changed('request.groupConfiguration', []),
    changed('request.groupConfiguration.groupsToOverride', 'staff'),
    changed('request.groupConfiguration.groupsToOverride', ['staff', null]),
    changed('request.groupConfiguration.accessRolesToOverride', [1]),
    changed('request.groupConfiguration.preferredRole', false),
    changed('request.clientMetadata', { device: ['phone'] }),
    changed('response', 'none'),
    drifted('callerContext.clientId', undefined),
    drifted('request.clientMetadata', undefined),
    drifted('request.clientMetadata', null),
    drifted('request.clientMetadata', { device: 7 }),
    drifted('request.userAttributes.email_verified', true),
    drifted('request.userAttributes', null),
    drifted('request', null),
    drifted('response', undefined),
  ]
}

function drifted(path: string, value: Json | undefined): Variant {
  return { ...changed(path, value), drift: true }
}

/** Returns the usual event with one value changed or removed. */
function changed(path?: string, value?: Json): Variant {
  const event = JSON.parse(tokenGenerationText()) as { [key: string]: Json }
  const keys = path?.split('.') ?? []
  const last = keys.pop()
  if (last !== undefined) {
    let at = event
    for (const key of keys) at = at[key] as { [key: string]: Json }
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return { event, drift: false }
}
