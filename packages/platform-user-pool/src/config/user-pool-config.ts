import type { SecretConfig, TlsConfig } from '@signalbox/platform-runtime/config'
import type { Key } from '@signalbox/user-pool/contract'

/** A function that a trigger calls. */
export interface TriggerFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /** The version of the event, which token generation has: 1, 2 or 3. Default 1. */
  readonly version?: 1 | 2 | 3
}

/** One function for several triggers. */
export interface TriggerListConfig<FunctionName extends string = string>
  extends TriggerFunctionConfig<FunctionName> {
  /** The triggers and trigger sources that the function has routes for. It is called for no other. */
  readonly routes: readonly Key[]
}

/** Functions by the triggers, or trigger sources, that call them. A source counts more than its trigger. */
type TriggerMapConfig<FunctionName extends string = string> = {
  readonly [K in Key]?: FunctionName | TriggerFunctionConfig<FunctionName>
}

/** What passwords must have. */
export interface PasswordConfig {
  /** Characters at least, 6 to 99. Default 8. */
  readonly min?: number
  /** Whether there must be a small letter. Default true, as of the next three. */
  readonly lower?: boolean
  readonly upper?: boolean
  readonly digits?: boolean
  readonly symbols?: boolean
  /** Days for which a password that an administrator gave can be used. Default 7. */
  readonly temporaryDays?: number
}

/** A group of users. */
export interface GroupConfig {
  readonly description?: string
  /** Of a user's groups the one with the lowest precedence gives the preferred role. */
  readonly precedence?: number
  /** The name of a role, which tokens carry. */
  readonly role?: string
}

/** How a client signs users in. */
export type ClientFlow = 'srp' | 'password' | 'custom' | 'admin' | 'refresh'

/** An application that signs users in. */
export interface ClientConfig {
  /** Default: derived from the names of pool and client. */
  readonly id?: string
  /** Default `srp` and `refresh`. `admin` is the password flow of servers, with credentials. */
  readonly flows?: readonly ClientFlow[]
  /** Whether the client has a secret, or the secret itself. `true` derives one, which `signalbox pools` shows. */
  readonly secret?: boolean | string
  /** Whether answers keep to themselves which users there are. Default true. */
  readonly hideUsers?: boolean
  readonly refresh?: RefreshConfig
  /** Minutes for which access tokens are valid. Default 60. */
  readonly accessMinutes?: number
  /** Minutes for which identity tokens are valid. Default 60. */
  readonly idMinutes?: number
  /** Minutes that a user has for the answer to a challenge. Default 3. */
  readonly sessionMinutes?: number
}

/** How long users stay signed in. */
export interface RefreshConfig {
  /** Days. Default 30. */
  readonly days?: number
  /** Whether `GetTokensFromRefreshToken` answers with a new refresh token, and ends the old one. Default false. */
  readonly rotate?: boolean
  /** Seconds for which a rotated refresh token still counts. Default 0. */
  readonly grace?: number
}

/** What users may sign in with. */
export type SignInName = 'name' | 'email' | 'phone' | 'preferred_username'

/** Users and how they sign in. */
export interface UserPoolConfig<FunctionName extends string = string> {
  /** Such as `eu-central-1_Staff01`. Default: derived from the pool's name. */
  readonly id?: string
  /** Functions that take part: `{ PreSignUp: 'sign-up' }`, or one with a list of its routes. */
  readonly triggers?: TriggerListConfig<FunctionName> | TriggerMapConfig<FunctionName>
  /**
   * What users sign in with. Default: a name of their own. With `name`, others are aliases, which count once they are
   * verified; without it, they are what users sign up with, and the user name is the claim `sub`.
   */
  readonly signIn?: readonly SignInName[]
  /** Attributes that every user has. */
  readonly required?: readonly string[]
  /** Attributes of the pool's own, without the prefix `custom:`. */
  readonly custom?: { readonly [name: string]: 'string' | 'number' | 'boolean' }
  /** What a code is sent to when users sign up. Default: what they sign in with, or else `email`. */
  readonly verify?: readonly ('email' | 'phone')[]
  /**
   * The sender of e-mail: an address, with a name or without, such as `Staff <staff@example.com>`. Default: `no-reply@`
   * and the name of the mail server.
   */
  readonly from?: string
  /** Whether users can sign up by themselves. Default true. */
  readonly signUp?: boolean
  readonly password?: PasswordConfig
  readonly groups?: { readonly [name: string]: GroupConfig }
  readonly clients: { readonly [name: string]: ClientConfig }
}

/** Where clients of the user pools connect to. */
export interface UserPoolListenerConfig {
  /** Default 9331; 0 takes any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  /** What tokens name as their issuer, before the pool's id. Default: the listener's URL. */
  readonly issuer?: string
  /** The files of a certificate and its key (PEM). With them clients connect by https. */
  readonly tls?: TlsConfig
  /**
   * The key that administrators' requests are signed with. Without one, administrators need no key, and only this machine
   * may call their operations.
   */
  readonly admin?: AdminKeyConfig
}

/** An access key, as clients of AWS have it. */
export interface AdminKeyConfig {
  readonly accessKeyId: string
  /** The secret, or the environment variable or the file that has it. */
  readonly secretAccessKey: SecretConfig
}

/** The keys of a configuration that belong to user pools. */
export interface UserPoolsConfig<FunctionName extends string = string> {
  readonly userPools?: { readonly [name: string]: UserPoolConfig<NoInfer<FunctionName>> }
  readonly userPoolListener?: UserPoolListenerConfig
}
