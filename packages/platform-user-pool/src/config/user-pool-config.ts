import {
  type ConfigOf,
  days,
  defaultHost,
  hostNames,
  integerFrom,
  isObject,
  listenerLimits,
  mapOf,
  matching,
  nonEmptyText,
  objectOf,
  optional,
  port,
  required,
  secretText,
  textLike,
  tlsFiles,
} from '@signalbox/platform-runtime/config'
import type { Key } from '@signalbox/user-pool/contract'
import * as t from 'io-ts'
import type { Factor } from '../store/user-pool-store.ts'
import {
  type DocumentPolicyConfig,
  documentPolicyFields,
  type RegistrationConfig,
  type ResourceServerConfig,
  registrationFields,
  resourceServerFields,
} from './agent-config.ts'
import { type ClientConfig, clientFields } from './client-config.ts'
import {
  type HistoryConfig,
  historyFields,
  type SessionsConfig,
  sessionFields,
} from './kept-sign-ins-config.ts'
import { limitFields, type UserPoolLimitsConfig } from './limits-config.ts'
import { type MigrationConfig, migrationFields } from './migration-config.ts'
import { type PagesConfig, pagesFields } from './pages-config.ts'
import { isProviderIssuer } from './redirect-address.ts'
import { isMapOf, noneOrSomeOf, oneOf, someOf } from './rules.ts'
import { senderForm } from './sender.ts'
import { type TakeoverConfig, takeoverFields } from './takeover-config.ts'

export const triggerFunctionFields = {
  /** The function that the trigger calls. */
  function: required(t.string),
  /**
   * The event version. Only token-generation events have versions 2 and 3. With 1, claims of the function are in ID tokens only.
   * Default 1.
   */
  version: optional(
    matching<1 | 2 | 3>('1, 2 or 3', value => value === 1 || value === 2 || value === 3),
    1,
  ),
}

/** A function that a trigger calls. */
export interface TriggerFunctionConfig<FunctionName extends string = string>
  extends ConfigOf<typeof triggerFunctionFields> {
  readonly function: FunctionName
}

export const triggerListFields = {
  ...triggerFunctionFields,
  /** The triggers and trigger sources that the function handles. It is not called for other triggers. */
  routes: required(t.readonlyArray(t.string, 'a list of triggers and trigger sources')),
}

/** One function for several triggers. */
export interface TriggerListConfig<FunctionName extends string = string>
  extends ConfigOf<typeof triggerListFields> {
  readonly function: FunctionName
  readonly routes: readonly Key[]
}

/**
 * Functions by the trigger or trigger source that calls them. An entry for a trigger source overrides the entry for its
 * trigger.
 */
type TriggerMapConfig<FunctionName extends string = string> = {
  readonly [K in Key]?: FunctionName | TriggerFunctionConfig<FunctionName>
}

export const passwordFields = {
  /** The minimum number of characters, from 6 to 99. Default 8. */
  min: optional(integerFrom(6, 99), 8),
  /** Whether a password needs a lower-case letter. Default true. */
  lower: optional(t.boolean, true),
  /** Whether a password needs an upper-case letter. Default true. */
  upper: optional(t.boolean, true),
  /** Whether a password needs a digit. Default true. */
  digits: optional(t.boolean, true),
  /** Whether a password needs a symbol. Default true. */
  symbols: optional(t.boolean, true),
  /** How many days a temporary password from an administrator is valid. Default 7. */
  temporaryDays: optional(days(0.001, 365), 7),
}

/** The rules for passwords. */
export interface PasswordConfig extends ConfigOf<typeof passwordFields> {}

const groupFields = {
  /** A text for administrators. */
  description: optional(t.string),
  /** A user's preferred role comes from the group with the lowest precedence. */
  precedence: optional(integerFrom(0, 2 ** 31 - 1)),
  /** The name of a role, which the tokens of the group's members contain. */
  role: optional(nonEmptyText),
}

/** A group of users. */
export interface GroupConfig extends ConfigOf<typeof groupFields> {}

export const identityProviderFields = {
  /** The provider's issuer URL, which determines the address of its discovery document. */
  issuer: required(
    matching<string>(
      'an https URL, or one of http on this machine',
      value => typeof value === 'string' && isProviderIssuer(value),
    ),
  ),
  /** The id of the pool's client at the provider. */
  clientId: required(nonEmptyText),
  /**
   * The client secret, or the environment variable or file that contains it. Without a secret, the client is a public
   * client.
   */
  clientSecret: optional(secretText),
  /** The scopes that the pool asks the provider for. Default `openid email profile`. */
  scopes: optional(t.readonlyArray(nonEmptyText, 'a list of scopes'), ['openid', 'email', 'profile']),
  /** The claims of the provider by the pool's attributes. Default `{ email: 'email' }`. */
  attributes: optional(
    matching<{ readonly [attribute: string]: string }>('names of claims by names of attributes', value =>
      isMapOf(value, (_, claim) => typeof claim === 'string' && claim !== ''),
    ),
    { email: 'email' },
  ),
  /** Additional names by which clients can choose the provider, such as the e-mail domains of its users. */
  identifiers: optional(t.readonlyArray(nonEmptyText, 'a list of names'), []),
}

/** An external identity provider that users of the pool can sign in with by OpenID Connect. */
export interface IdentityProviderConfig extends ConfigOf<typeof identityProviderFields> {}

export const mfaFields = {
  /** `optional` asks only users who have set up a second factor; `required` asks all users. Default `optional`. */
  mode: optional(oneOf('off', 'optional', 'required'), 'optional'),
  /**
   * The allowed second factors. `totp` is a code from an authenticator app; the platform sends the other codes.
   * Default `totp`.
   */
  by: optional<readonly Factor[]>(someOf('totp', 'sms', 'email'), ['totp']),
}

/** The second factors of a pool. */
export interface MfaConfig extends ConfigOf<typeof mfaFields> {}

export const passkeyFields = {
  /**
   * The domain of the passkeys. Default: the host of the pool's issuer, or `localhost` if that host is an IP address. A
   * passkey works for only one domain, so a new domain makes all existing passkeys useless.
   */
  relyingParty: optional(
    textLike('a domain such as example.com', /^(?=.{1,127}$)[a-z\d-]+(\.[a-z\d-]*[a-z-][a-z\d-]*)*$/),
  ),
  /**
   * `required` refuses passkeys when the authenticator has not checked a fingerprint, a face or a PIN. Default
   * `preferred`.
   */
  userVerification: optional(oneOf('preferred', 'required'), 'preferred'),
  /**
   * Whether a passkey counts as both factors if its authenticator checked a fingerprint, a face or a PIN. Default
   * false.
   */
  bothFactors: optional(t.boolean, false),
}

/** The rules for passkeys (WebAuthn). */
export interface PasskeyConfig extends ConfigOf<typeof passkeyFields> {}

const signIn = someOf('name', 'email', 'phone', 'preferred_username')
const firstFactors = someOf('password', 'email', 'sms', 'passkey')
const attributes = t.readonlyArray(nonEmptyText, 'a list of attributes')

/** The names that users may sign in with. */
export type SignInName = t.TypeOf<typeof signIn>[number]

/** A challenge that users can choose as the first step of a sign-in. */
export type FirstFactor = t.TypeOf<typeof firstFactors>[number]

/** A label of a host name, which is the domain of a pool. */
export const domainForm = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

export const userPoolFields = {
  /** The id, such as `eu-central-1_Staff01`. Default: derived from the pool's name. */
  id: optional(
    textLike(
      'a region, _, and letters and digits, such as eu-central-1_Staff01',
      /^[a-z]{2}(-[a-z]+)+-\d_[0-9A-Za-z]{1,55}$/,
    ),
  ),
  /**
   * The functions that triggers call, such as `{ PreSignUp: 'sign-up' }`, or one function with a list of its routes.
   */
  triggers: optional(matching<TriggerListConfig | TriggerMapConfig>('an object', isObject)),
  /**
   * The names that users sign in with. Default: a user name. If the list contains `name`, the other names are aliases,
   * which work once they are verified. If it does not, users sign up with one of the listed names, and the user name is
   * the claim `sub`.
   */
  signIn: optional(signIn, ['name']),
  /** Attributes that every user must have. */
  required: optional(attributes, []),
  /** The attributes that only this pool has. Leave out the prefix `custom:`. */
  custom: optional(
    matching<{ readonly [name: string]: 'string' | 'number' | 'boolean' }>(
      'names of 1 to 20 letters, digits, - and _, each with string, number or boolean',
      value =>
        isMapOf(
          value,
          (name, type) =>
            /^[\w-]{1,20}$/.test(name) && ['string', 'number', 'boolean'].includes(type as string),
        ),
    ),
    {},
  ),
  /**
   * The addresses that users verify with a code when they sign up. With an empty list they verify none. Default: the
   * addresses that users sign in with, or else `email`.
   */
  verify: optional(noneOrSomeOf('email', 'phone')),
  /**
   * The sender of e-mail, which is an address with or without a name, such as `Staff <staff@example.com>`. Default:
   * `no-reply@` followed by the name of the mail server.
   */
  from: optional(textLike('an address such as staff@example.com or Staff <staff@example.com>', senderForm)),
  /** Attributes that keep their first value, such as `custom:tenant`. */
  immutable: optional(attributes, []),
  /** Whether users can create their own accounts. Default true. */
  signUp: optional(t.boolean, true),
  /**
   * Makes the pool track the sessions of its users, so that they and administrators can list and revoke each of them. By
   * default, sessions are not tracked.
   */
  sessions: optional(objectOf<SessionsConfig>(sessionFields)),
  /**
   * Keeps the sign-ins of each user, also those that wrong passwords or codes have refused, so that administrators can list
   * them. By default, none is kept.
   */
  history: optional(objectOf<HistoryConfig>(historyFields)),
  /**
   * Sends a notice to the verified e-mail address of a user whose account wrong passwords or codes have locked, at most one
   * of each a day. By default, none is sent.
   */
  takeover: optional(objectOf<TakeoverConfig>(takeoverFields)),
  /** How much clients without credentials can make the pool do in an hour. */
  limits: optional(objectOf<UserPoolLimitsConfig>(limitFields), {}),
  /**
   * The kinds of verified addresses that users can reset a forgotten password with, in order of preference. If the list
   * is empty, only administrators can reset passwords. `phone` is not used for users whose second factor is an SMS
   * code. Default: `email`, then `phone`.
   */
  recovery: optional(
    matching<readonly ('email' | 'phone')[]>(
      'a list of email and phone, which may be empty',
      value =>
        Array.isArray(value) &&
        value.every(each => each === 'email' || each === 'phone') &&
        new Set(value).size === value.length,
    ),
    ['email', 'phone'],
  ),
  /** The rules for passwords. */
  password: optional(objectOf<PasswordConfig>(passwordFields), {}),
  /** The second factors of the pool. By default, it has none. */
  mfa: optional(objectOf<MfaConfig>(mfaFields)),
  /**
   * Which devices the pool remembers: none (`off`), those that users choose (`opt-in`), or all (`always`). A sign-in on
   * a remembered device needs no second factor. Default `off`.
   */
  devices: optional(oneOf('off', 'opt-in', 'always'), 'off'),
  /**
   * The challenges that users can choose from in the flow `choice`. They are a password, a code that the platform
   * sends, and a passkey. Default `password`.
   */
  firstFactors: optional(firstFactors, ['password']),
  /** The rules for passkeys. Users can add passkeys if `passkey` is one of the `firstFactors`. */
  passkeys: optional(objectOf<PasskeyConfig>(passkeyFields), {}),
  /** The groups of users by name. */
  groups: optional(mapOf<GroupConfig>(groupFields), {}),
  /** The applications that sign users in, by name. */
  clients: required(mapOf<ClientConfig>(clientFields)),
  /**
   * A domain name for the hosted pages. With `staff`, the pages are also available at `staff.localhost`, for programs
   * that expect a domain for each pool.
   */
  domain: optional(textLike('lower-case letters, digits and -, 63 at most', domainForm)),
  /** The look of the hosted pages: name, logo and colors, and the terms that the page for signing up refers to. */
  pages: optional(objectOf<PagesConfig>(pagesFields), {}),
  /** Programs that accept access tokens, by identifier. */
  resourceServers: optional(mapOf<ResourceServerConfig>(resourceServerFields), {}),
  /**
   * Programs that need no registration, because their client id is the URL of a document about them (OAuth Client ID
   * Metadata Document), such as MCP clients. A policy says which URLs are accepted. By default, none are.
   */
  clientDocuments: optional(mapOf<DocumentPolicyConfig>(documentPolicyFields), {}),
  /**
   * Lets programs register themselves as clients at `/oauth2/register` (RFC 7591). By default, they cannot.
   */
  registration: optional(objectOf<RegistrationConfig>(registrationFields)),
  /**
   * A pool at Amazon Cognito whose users move here with their passwords. Each user who signs in with a password and has no
   * account here is looked up there once. Needs `signUp: false` or a PreSignUp trigger, and cannot be used together with the
   * trigger UserMigration.
   */
  migrateFrom: optional(objectOf<MigrationConfig>(migrationFields)),
  /** External identity providers that users may sign in with, by name. */
  identityProviders: optional(mapOf<IdentityProviderConfig>(identityProviderFields), {}),
}

/** A pool of users, with the settings for how they sign in. */
export interface UserPoolConfig<FunctionName extends string = string>
  extends ConfigOf<typeof userPoolFields> {
  readonly triggers?: TriggerListConfig<FunctionName> | TriggerMapConfig<FunctionName>
}

const adminKeyFields = {
  /** The id of the key, which requests name. */
  accessKeyId: required(textLike('letters and digits, 16 to 128', /^\w{16,128}$/)),
  /** The secret key, or the environment variable or file that contains it. */
  secretAccessKey: required(secretText),
}

/** An access key for AWS clients. */
export interface AdminKeyConfig extends ConfigOf<typeof adminKeyFields> {}

export const listenerFields = {
  /** The port to listen on. Default 9331. With 0, the system chooses a free port. */
  port: optional(port, 9331),
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether everyone who reaches the listener may use the operations of administrators without a key. Default false.
   * Not needed with `access` or `admin`.
   */
  open: optional(t.boolean, false),
  /** Further host names that the listener accepts in the Host header of requests. */
  names: optional(hostNames, []),
  /** The limits for each client address. Default: no limits. */
  limits: optional(listenerLimits),
  /** The files of a TLS certificate and its key (PEM). With them, clients connect by https. */
  tls: optional(tlsFiles),
  /**
   * The access key that signs administrators' requests. Without `admin`, `access` and `open`, administrators need no key,
   * but their requests must come from this machine, and not through a proxy. `signalbox start` refuses that.
   */
  admin: optional(objectOf<AdminKeyConfig>(adminKeyFields)),
  /**
   * The hosts where identity providers of pools that the API creates, and documents of clients, may be although they are on
   * this machine or in a private network, such as `login.internal` or `127.0.0.1:8080`. All others need public addresses.
   * An `issuer` in the configuration is allowed by itself. For documents, a pattern of the pool must name the host, too.
   */
  privateProviderHosts: optional(
    t.readonlyArray(
      textLike(
        'a host in lower case, with or without a port, such as login.internal or 127.0.0.1:8080',
        /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::\d{1,5})?$/,
      ),
      'a list of hosts',
    ),
    [],
  ),
  /**
   * The issuer URL in tokens, to which the pool's id is appended. Default: the listener's URL. Discovery documents name
   * addresses below it if its host is this machine, the `host`, or one of `names`, and otherwise addresses of the
   * listener.
   */
  issuer: optional(textLike('an http or https URL without a / at its end', /^https?:\/\/[^\s?#]+[^\s?#/]$/)),
}

/** The options of the listener that clients of the user pools connect to. */
export interface UserPoolListenerConfig extends ConfigOf<typeof listenerFields> {}

export const userPoolsFields = {
  /** The user pools by name. */
  userPools: optional(mapOf<UserPoolConfig>(userPoolFields)),
  /** The listener that clients of the user pools connect to. */
  userPoolListener: optional(objectOf<UserPoolListenerConfig>(listenerFields)),
}

/** The configuration keys for user pools. */
export interface UserPoolsConfig<FunctionName extends string = string>
  extends ConfigOf<typeof userPoolsFields> {
  readonly userPools?: { readonly [name: string]: UserPoolConfig<NoInfer<FunctionName>> }
}
