import {
  type ConfigOf,
  days,
  matching,
  minutes,
  nonEmptyText,
  objectOf,
  optional,
  textLike,
  wholeSeconds,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { isRedirectAddress } from './redirect-address.ts'
import { someOf } from './rules.ts'

/** The OpenID Connect scopes that pools support. */
export const identityScopes: readonly string[] = ['openid', 'email', 'phone', 'profile']

/** The scope of tokens from a sign-in through the API. Users need it to manage their own accounts. */
export const ownScope = 'aws.cognito.signin.user.admin'

/** The scope of an access token with which a program can register itself as a client. */
export const registrationScope = 'aws.cognito/dcr/register'

export const refreshFields = {
  /** How many days a refresh token is valid, from an hour (0.0417) to ten years. Default 30. */
  days: optional(days(1 / 24, 3650), 30),
  /** Whether `GetTokensFromRefreshToken` replaces the refresh token with a new one. Default false. */
  rotate: optional(t.boolean, false),
  /** How many seconds a replaced refresh token stays valid. Default 0. */
  grace: optional(wholeSeconds(0, 60, 'seconds'), 0),
}

/** The settings for a client's refresh tokens, which determine how long users stay signed in. */
export interface RefreshConfig extends ConfigOf<typeof refreshFields> {}

const flows = someOf('srp', 'password', 'custom', 'choice', 'admin', 'refresh')
const grants = someOf('code', 'client_credentials', 'device_code')
const attributes = t.readonlyArray(nonEmptyText, 'a list of attributes')
const addresses = t.readonlyArray(
  matching<string>(
    'an address by https, by http on localhost, or by the scheme of an app, without a fragment',
    value => typeof value === 'string' && isRedirectAddress(value),
  ),
  'a list of addresses',
)

/** Returns whether a value can be the secret of a client. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[\w+]{24,64}$/.test(value)
}

/** The flows that a client can use to sign users in. */
export type ClientFlow = t.TypeOf<typeof flows>[number]

export const clientFields = {
  /** The id of the client. Default: derived from the names of the pool and the client. */
  id: optional(textLike('letters, digits, _ and +, 128 at most', /^[\w+]{1,128}$/)),
  /**
   * The flows that the client may use. Default: `srp` and `refresh`. `choice` lets users choose from the pool's
   * `firstFactors`. `admin` is the password flow for servers with credentials.
   */
  flows: optional(flows, ['srp', 'refresh']),
  /**
   * The client's secret, or whether it has one. With `true`, the secret is derived, and `signalbox pools --secrets` shows
   * it. A list has two secrets that are both valid, so that one can replace the other. Default false.
   */
  secret: optional(
    matching<boolean | string | readonly string[]>(
      'true, false, a text of 24 to 64 letters, digits, _ and +, or a list of two different ones',
      value =>
        typeof value === 'boolean' ||
        isSecret(value) ||
        (Array.isArray(value) && value.length === 2 && value.every(isSecret) && value[0] !== value[1]),
    ),
    false,
  ),
  /** Whether responses hide which users exist. Default true. */
  hideUsers: optional(t.boolean, true),
  /**
   * The attributes that users may read through the client, in `GetUser` and in identity tokens. Default: all.
   */
  read: optional(attributes),
  /** The attributes that users may set and change through the client. Default: all. */
  write: optional(attributes),
  /** The client's refresh tokens. */
  refresh: optional(objectOf<RefreshConfig>(refreshFields), {}),
  /** How many minutes access tokens are valid. Default 60. */
  accessMinutes: optional(minutes(5, 1440), 60),
  /** How many minutes identity tokens are valid. Default 60. */
  idMinutes: optional(minutes(5, 1440), 60),
  /** How many minutes a user has to answer a challenge. Default 3. */
  sessionMinutes: optional(minutes(3, 15), 3),
  /**
   * How many minutes after a sign-in the hosted pages sign the user in to this client again without asking, in a pool
   * with `sessions`. With 0, they always ask. Default 60.
   */
  reuseMinutes: optional(minutes(0, 129_600), 60),
  /**
   * The addresses to which the hosted pages may send users back. The address in a client's request must equal one of
   * them. Allowed schemes are https, http on this machine, and the custom scheme of an app.
   */
  callbacks: optional(addresses, []),
  /** The addresses to which the hosted pages may send users after a sign-out. */
  logouts: optional(addresses, []),
  /**
   * The grants that the client may use at the token endpoint: `code` from the hosted pages, `device_code` for devices
   * without a browser (RFC 8628), or `client_credentials`, which needs a secret. Default: `code` if the client has callbacks.
   */
  grants: optional(grants),
  /**
   * The scopes that the client may ask for. Default: `openid`, `email`, `phone` and `profile` if the client has
   * callbacks or the grant `device_code`. `aws.cognito.signin.user.admin` and the scopes of resource servers, such as `orders/read`, are also
   * possible.
   */
  scopes: optional(t.readonlyArray(nonEmptyText, 'a list of scopes')),
  /** The identity providers that users of the client may sign in with. Default: all providers of the pool. */
  providers: optional(t.readonlyArray(nonEmptyText, 'a list of identity providers')),
}

/** An application that signs users in. */
export interface ClientConfig extends ConfigOf<typeof clientFields> {}
