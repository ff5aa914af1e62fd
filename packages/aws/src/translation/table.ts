import { exactly, type Names, prefixed, swapped } from './names.ts'

/** A place in a JSON value that contains provider names. Other places never change. */
export type Place =
  /** The value is a name. */
  | { readonly name: Names }
  /** The value is a list, and each item is again a place. */
  | { readonly items: Place }
  /** The value is an object. Its own keys may be names, and values below other keys may be places. */
  | { readonly keys?: Names; readonly below?: { readonly [key: string]: Place } }

const sdk = swapped(['awsSdkVersion', 'cloudSdkVersion'], ['awsSdk', 'cloudSdk'])
const poolNames = prefixed('cognito:', 'pool:')
const roles = exactly('iamRolesToOverride', 'accessRolesToOverride')
const scope = exactly('aws.cognito.signin.user.admin', 'cloud.pool.signin.user.admin')
const queueTrace = swapped(['AWSTraceHeader', 'CloudTraceHeader'])
const queueSource = swapped(['aws:sqs', 'cloud:queue'])
const region = swapped(['awsRegion', 'cloudRegion'])
/** The header names of a load-balancer request. */
export const httpHeaders = swapped(
  ['x-amzn-trace-id', 'x-cloud-trace-id'],
  ['x-amzn-oidc-data', 'x-cloud-oidc-data'],
  ['x-amzn-oidc-identity', 'x-cloud-oidc-identity'],
  ['x-amzn-oidc-accesstoken', 'x-cloud-oidc-accesstoken'],
)

const attributes: Place = { keys: poolNames }
const groups: Place = { keys: roles }
const scopes: Place = { items: { name: scope } }
const claims = {
  claimsToAddOrOverride: { keys: poolNames },
  claimsToSuppress: { items: { name: poolNames } },
}

/** Returns the value with translated names, or the same value when no name changes. */
export type Translate = (value: unknown) => unknown

/**
 * The places in the events of a user pool (docs/contract/user-pool.md). A trigger's response is part of the same
 * object.
 */
export const triggerPlaces = {
  callerContext: { keys: sdk },
  request: { below: { userAttributes: attributes, groupConfiguration: groups, scopes } },
  response: {
    below: {
      // Pre-token generation, event version 1.
      claimsOverrideDetails: { below: { ...claims, groupOverrideDetails: groups } },
      // Pre-token generation, event versions 2 and 3.
      claimsAndScopeOverrideDetails: {
        below: {
          idTokenGeneration: { below: claims },
          accessTokenGeneration: { below: { ...claims, scopesToAdd: scopes, scopesToSuppress: scopes } },
          groupOverrideDetails: groups,
        },
      },
      // User migration.
      userAttributes: attributes,
      // Inbound federation.
      userAttributesToMap: attributes,
    },
  },
} as const satisfies Readonly<Record<string, Place>>

/** The places in a batch of queue messages (docs/contract/queue.md). */
export const batchPlaces = {
  Records: {
    items: { keys: region, below: { attributes: { keys: queueTrace }, eventSource: { name: queueSource } } },
  },
} as const satisfies Readonly<Record<string, Place>>

/** The places in a load-balancer request (docs/contract/load-balancer.md). */
export const httpRequestPlaces = {
  headers: { keys: httpHeaders },
  multiValueHeaders: { keys: httpHeaders },
} as const satisfies Readonly<Record<string, Place>>
