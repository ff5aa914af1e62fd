import type { ListenerLimitsConfig, SecretConfig, TlsConfig } from '@signalbox/platform-runtime/config'
import type { Key } from '@signalbox/user-pool/contract'
import type { Factor } from '../store/user-pool-store.ts'

/** A function that a trigger calls. */
export interface TriggerFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /** The event version. Only token-generation events have versions 2 and 3. Default 1. */
  readonly version?: 1 | 2 | 3
}

/** One function for several triggers. */
export interface TriggerListConfig<FunctionName extends string = string>
  extends TriggerFunctionConfig<FunctionName> {
  /** The triggers and trigger sources that the function handles. It is not called for other triggers. */
  readonly routes: readonly Key[]
}

/**
 * Functions by the trigger or trigger source that calls them. An entry for a trigger source overrides the entry for its
 * trigger.
 */
type TriggerMapConfig<FunctionName extends string = string> = {
  readonly [K in Key]?: FunctionName | TriggerFunctionConfig<FunctionName>
}

/** The rules for passwords. */
export interface PasswordConfig {
  /** The minimum number of characters, from 6 to 99. Default 8. */
  readonly min?: number
  /** Whether a password needs a lower-case letter. Default true. */
  readonly lower?: boolean
  /** Whether a password needs an upper-case letter. Default true. */
  readonly upper?: boolean
  /** Whether a password needs a digit. Default true. */
  readonly digits?: boolean
  /** Whether a password needs a symbol. Default true. */
  readonly symbols?: boolean
  /** How many days a temporary password from an administrator is valid. Default 7. */
  readonly temporaryDays?: number
}

/** A group of users. */
export interface GroupConfig {
  readonly description?: string
  /** A user's preferred role comes from the group with the lowest precedence. */
  readonly precedence?: number
  /** The name of a role, which the tokens of the group's members contain. */
  readonly role?: string
}

/** The flows that a client can use to sign users in. */
export type ClientFlow = 'srp' | 'password' | 'custom' | 'choice' | 'admin' | 'refresh'

/** An application that signs users in. */
export interface ClientConfig {
  /** The id of the client. Default: derived from the names of the pool and the client. */
  readonly id?: string
  /**
   * The flows that the client may use. Default: `srp` and `refresh`. `choice` lets users choose from the pool's
   * `firstFactors`. `admin` is the password flow for servers with credentials.
   */
  readonly flows?: readonly ClientFlow[]
  /** The client's secret, or whether it has one. With `true`, the secret is derived, and `signalbox pools` shows it. */
  readonly secret?: boolean | string
  /** Whether responses hide which users exist. Default true. */
  readonly hideUsers?: boolean
  /**
   * The attributes that users may read through the client, in `GetUser` and in identity tokens. Default: all.
   */
  readonly read?: readonly string[]
  /** The attributes that users may set and change through the client. Default: all. */
  readonly write?: readonly string[]
  readonly refresh?: RefreshConfig
  /** How many minutes access tokens are valid. Default 60. */
  readonly accessMinutes?: number
  /** How many minutes identity tokens are valid. Default 60. */
  readonly idMinutes?: number
  /** How many minutes a user has to answer a challenge. Default 3. */
  readonly sessionMinutes?: number
  /**
   * The addresses to which the hosted pages may send users back. The address in a client's request must equal one of
   * them. Allowed schemes are https, http on this machine, and the custom scheme of an app.
   */
  readonly callbacks?: readonly string[]
  /** The addresses to which the hosted pages may send users after a sign-out. */
  readonly logouts?: readonly string[]
  /**
   * The grants that the client may use at the token endpoint: `code` from the hosted pages, or
   * `client_credentials`, which needs a secret. Default: `code` if the client has callbacks.
   */
  readonly grants?: readonly OAuthGrant[]
  /**
   * The scopes that the client may ask for. Default: `openid`, `email`, `phone` and `profile` if the client has
   * callbacks. `aws.cognito.signin.user.admin` and the scopes of resource servers, such as `orders/read`, are also
   * possible.
   */
  readonly scopes?: readonly string[]
  /** The identity providers that users of the client may sign in with. Default: all providers of the pool. */
  readonly providers?: readonly string[]
}

/** A grant type of the token endpoint. */
export type OAuthGrant = 'code' | 'client_credentials'

/** A program that accepts access tokens, and the scopes that it defines. */
export interface ResourceServerConfig {
  /** The name that administrators see. Default: the identifier. */
  readonly name?: string
  /** The descriptions of the scopes by name. Clients request a scope as `identifier/name`. */
  readonly scopes: { readonly [name: string]: string }
}

/** An external identity provider that users of the pool can sign in with by OpenID Connect. */
export interface IdentityProviderConfig {
  /** The provider's issuer URL, which determines the address of its discovery document. */
  readonly issuer: string
  readonly clientId: string
  /**
   * The client secret, or the environment variable or file that contains it. Without a secret, the client is a public
   * client.
   */
  readonly clientSecret?: SecretConfig
  /** The scopes that the pool asks the provider for. Default `openid email profile`. */
  readonly scopes?: readonly string[]
  /** The claims of the provider by the pool's attributes. Default `{ email: 'email' }`. */
  readonly attributes?: { readonly [attribute: string]: string }
  /** Additional names by which clients can choose the provider, such as the e-mail domains of its users. */
  readonly identifiers?: readonly string[]
}

/** The settings for a client's refresh tokens, which determine how long users stay signed in. */
export interface RefreshConfig {
  /** How many days a refresh token is valid. Default 30. */
  readonly days?: number
  /** Whether `GetTokensFromRefreshToken` replaces the refresh token with a new one. Default false. */
  readonly rotate?: boolean
  /** How many seconds a replaced refresh token stays valid. Default 0. */
  readonly grace?: number
}

/** The names that users may sign in with. */
export type SignInName = 'name' | 'email' | 'phone' | 'preferred_username'

/** The second factors of a pool. */
export interface MfaConfig {
  /** `optional` asks only users who have set up a second factor; `required` asks all users. Default `optional`. */
  readonly mode?: 'off' | 'optional' | 'required'
  /**
   * The allowed second factors. `totp` is a code from an authenticator app; the platform sends the other codes.
   * Default `totp`.
   */
  readonly by?: readonly Factor[]
}

/** A challenge that users can choose as the first step of a sign-in. */
export type FirstFactor = 'password' | 'email' | 'sms' | 'passkey'

/** The rules for passkeys (WebAuthn). */
export interface PasskeyConfig {
  /**
   * The domain of the passkeys. Default: the host of the pool's issuer, or `localhost` if that host is an IP address. A
   * passkey works for only one domain, so a new domain makes all existing passkeys useless.
   */
  readonly relyingParty?: string
  /**
   * `required` refuses passkeys when the authenticator has not checked a fingerprint, a face or a PIN. Default
   * `preferred`.
   */
  readonly userVerification?: 'preferred' | 'required'
  /**
   * Whether a passkey counts as both factors if its authenticator checked a fingerprint, a face or a PIN. Default
   * false.
   */
  readonly bothFactors?: boolean
}

/** How much clients without credentials can make a pool do in an hour. Administrators have no such limits. */
export interface UserPoolLimitsConfig {
  /** The number of sign-ups from all clients together. Default 10000. */
  readonly signUps?: number
  /**
   * The number of sign-ups from one client address. Clients behind a reverse proxy share the proxy's address. Default
   * 1000.
   */
  readonly signUpsPerAddress?: number
  /** The number of messages to one e-mail address or phone number. Default 50. */
  readonly messages?: number
}

/** A pool of users, with the settings for how they sign in. */
export interface UserPoolConfig<FunctionName extends string = string> {
  /** The id, such as `eu-central-1_Staff01`. Default: derived from the pool's name. */
  readonly id?: string
  /**
   * The functions that triggers call, such as `{ PreSignUp: 'sign-up' }`, or one function with a list of its routes.
   */
  readonly triggers?: TriggerListConfig<FunctionName> | TriggerMapConfig<FunctionName>
  /**
   * The names that users sign in with. Default: a user name. If the list contains `name`, the other names are aliases,
   * which work once they are verified. If it does not, users sign up with one of the listed names, and the user name is
   * the claim `sub`.
   */
  readonly signIn?: readonly SignInName[]
  /** Attributes that every user must have. */
  readonly required?: readonly string[]
  /** The attributes that only this pool has. Leave out the prefix `custom:`. */
  readonly custom?: { readonly [name: string]: 'string' | 'number' | 'boolean' }
  /**
   * The addresses that users verify with a code when they sign up. Default: the addresses that users sign in with, or
   * else `email`.
   */
  readonly verify?: readonly ('email' | 'phone')[]
  /**
   * The sender of e-mail, which is an address with or without a name, such as `Staff <staff@example.com>`. Default:
   * `no-reply@` followed by the name of the mail server.
   */
  readonly from?: string
  /** Attributes that keep their first value, such as `custom:tenant`. */
  readonly immutable?: readonly string[]
  /** Whether users can create their own accounts. Default true. */
  readonly signUp?: boolean
  readonly limits?: UserPoolLimitsConfig
  /**
   * The kinds of verified addresses that users can reset a forgotten password with, in order of preference. If the list
   * is empty, only administrators can reset passwords. `phone` is not used for users whose second factor is an SMS
   * code. Default: `email`, then `phone`.
   */
  readonly recovery?: readonly ('email' | 'phone')[]
  readonly password?: PasswordConfig
  /** The second factors of the pool. By default, it has none. */
  readonly mfa?: MfaConfig
  /**
   * Which devices the pool remembers: none (`off`), those that users choose (`opt-in`), or all (`always`). A sign-in on
   * a remembered device needs no second factor. Default `off`.
   */
  readonly devices?: 'off' | 'opt-in' | 'always'
  /**
   * The challenges that users can choose from in the flow `choice`. They are a password, a code that the platform
   * sends, and a passkey. Default `password`.
   */
  readonly firstFactors?: readonly FirstFactor[]
  /** The rules for passkeys. Users can add passkeys if `passkey` is one of the `firstFactors`. */
  readonly passkeys?: PasskeyConfig
  readonly groups?: { readonly [name: string]: GroupConfig }
  readonly clients: { readonly [name: string]: ClientConfig }
  /**
   * A domain name for the hosted pages. With `staff`, the pages are also available at `staff.localhost`, for programs
   * that expect a domain for each pool.
   */
  readonly domain?: string
  /** Programs that accept access tokens, by identifier. */
  readonly resourceServers?: { readonly [identifier: string]: ResourceServerConfig }
  /** External identity providers that users may sign in with, by name. */
  readonly identityProviders?: { readonly [name: string]: IdentityProviderConfig }
}

/** The options of the listener that clients of the user pools connect to. */
export interface UserPoolListenerConfig {
  /** The port to listen on. Default 9331. With 0, the system chooses a free port. */
  readonly port?: number
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /**
   * Whether everyone who reaches the listener may use the operations of administrators without a key. Default false.
   * Not needed with `access` or `admin`.
   */
  readonly open?: boolean
  /** Further host names that the listener accepts in the Host header of requests. */
  readonly names?: readonly string[]
  /** The limits for each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
  /**
   * The issuer URL in tokens, to which the pool's id is appended. Default: the listener's URL. Discovery documents name
   * addresses below it if its host is this machine, the `host`, or one of `names`, and otherwise addresses of the
   * listener.
   */
  readonly issuer?: string
  /**
   * The hosts where identity providers of pools that the API creates may be although they are on this machine or in a
   * private network, such as `login.internal` or `127.0.0.1:8080`. All other providers need public addresses. An
   * `issuer` in the configuration is allowed by itself.
   */
  readonly privateProviderHosts?: readonly string[]
  /** The files of a TLS certificate and its key (PEM). With them, clients connect by https. */
  readonly tls?: TlsConfig
  /**
   * The access key that signs administrators' requests. Without `admin`, `access` and `open`, administrators need no key,
   * but their requests must come from this machine, and not through a proxy. `signalbox start` refuses that.
   */
  readonly admin?: AdminKeyConfig
}

/** An access key for AWS clients. */
export interface AdminKeyConfig {
  readonly accessKeyId: string
  /** The secret key, or the environment variable or file that contains it. */
  readonly secretAccessKey: SecretConfig
}

/** The configuration keys for user pools. */
export interface UserPoolsConfig<FunctionName extends string = string> {
  readonly userPools?: { readonly [name: string]: UserPoolConfig<NoInfer<FunctionName>> }
  readonly userPoolListener?: UserPoolListenerConfig
}
