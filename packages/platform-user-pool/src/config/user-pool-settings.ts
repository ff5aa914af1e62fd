import type { Source } from '@signalbox/user-pool/contract'
import type {
  ClientFlow,
  FirstFactor,
  GroupConfig,
  MfaConfig,
  OAuthGrant,
  PasskeyConfig,
  SignInName,
  UserPoolLimitsConfig,
} from './user-pool-config.ts'

/** The settings of a pool, with defaults filled in. Times are in milliseconds. */
export interface PoolSettings {
  readonly name: string
  readonly id: string
  /** The part of the id after the `_`. */
  readonly poolName: string
  readonly region: string
  readonly triggers: ReadonlyMap<Source, TriggerSettings>
  readonly signIn: readonly SignInName[]
  readonly required: readonly string[]
  readonly custom: { readonly [name: string]: 'string' | 'number' | 'boolean' }
  /** Additional rules for attributes, apart from their types, by full attribute name. */
  readonly rules: { readonly [attribute: string]: AttributeRules }
  readonly verify: readonly ('email' | 'phone')[]
  /** The sender of e-mail. Undefined means the mail server's own address. */
  readonly from: string | undefined
  readonly signUp: boolean
  readonly limits: Required<UserPoolLimitsConfig>
  /**
   * The kinds of verified addresses that can receive a password-reset code, in order of preference. Empty when only
   * administrators may reset passwords. `legacy` prefers text messages to e-mail, as Cognito does when this setting is
   * missing.
   */
  readonly recovery: readonly ('email' | 'phone')[] | 'legacy'
  /** The pool's own message texts. */
  readonly texts: MessageTexts
  readonly password: PasswordSettings
  readonly mfa: Required<MfaConfig>
  readonly devices: DeviceSettings
  readonly firstFactors: readonly FirstFactor[]
  readonly passkeys: PasskeySettings
  readonly groups: { readonly [name: string]: GroupConfig }
  readonly clients: readonly ClientSettings[]
  /** The first label of the pool's own host name. */
  readonly domain: string | undefined
  /** A host name of the pool's own. Only pools that the API creates have one. */
  readonly customDomain?: string | undefined
  readonly resourceServers: readonly ResourceServerSettings[]
  readonly identityProviders: readonly IdentityProviderSettings[]
}

/** A program that accepts access tokens. */
export interface ResourceServerSettings {
  readonly identifier: string
  readonly name: string
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
}

/** An external identity provider that uses OpenID Connect. */
export interface IdentityProviderSettings {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** The secret of the client at the provider. Undefined for a public client. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  /** The claims of the provider by the pool's attributes. */
  readonly attributes: { readonly [attribute: string]: string }
  readonly identifiers: readonly string[]
  /** Whether the configuration names the provider. If so, its issuer may be in a private network. */
  readonly isConfigured: boolean
}

/** The rights of a client at the hosted pages and the token endpoint. */
export interface OAuthSettings {
  readonly grants: readonly OAuthGrant[]
  readonly callbacks: readonly string[]
  readonly logouts: readonly string[]
  readonly scopes: readonly string[]
  /** The names of identity providers. */
  readonly providers: readonly string[]
}

export interface AttributeRules {
  /** False if the attribute cannot be changed after its first value was set. */
  readonly mutable?: boolean
  /** Whether only administrators may write the attribute. */
  readonly byAdmin?: boolean
  /** The minimum length of a string, or the minimum value of a number. */
  readonly least?: number | undefined
  /** The maximum length of a string, or the maximum value of a number. */
  readonly most?: number | undefined
}

/** A pool's own text for a message. The default text is used for parts that are missing. */
export interface MessageText {
  readonly subject?: string | undefined
  readonly email?: string | undefined
  readonly sms?: string | undefined
}

/** The pool's texts for messages that verify an address, invite a user, or send a sign-in code. */
interface MessageTexts {
  readonly verification?: MessageText
  readonly invitation?: MessageText
  readonly authentication?: MessageText
  /** The e-mail with a link that confirms a sign-up. */
  readonly link?: MessageText
}

/** The function that a trigger source calls. */
export interface TriggerSettings {
  readonly functionName: string
  readonly version: '1' | '2' | '3'
}

interface DeviceSettings {
  readonly remember: 'off' | 'opt-in' | 'always'
  /** Whether a sign-in on a remembered device skips the second factor. */
  readonly skipFactor: boolean
}

interface PasskeySettings extends Required<Omit<PasskeyConfig, 'relyingParty'>> {
  /** The domain of the passkeys. Undefined means the host of the issuer. */
  readonly relyingParty: string | undefined
}

interface PasswordSettings {
  readonly min: number
  readonly lower: boolean
  readonly upper: boolean
  readonly digits: boolean
  readonly symbols: boolean
  readonly temporary: number
}

export interface ClientSettings {
  readonly name: string
  readonly id: string
  readonly flows: readonly ClientFlow[]
  /** The secret, or whether the client has one. With `true`, the secret is derived. */
  readonly secret: boolean | string
  readonly hideUsers: boolean
  /** The attributes that users may read through the client. Undefined means all attributes. */
  readonly read: readonly string[] | undefined
  /** The attributes that users may write through the client. Undefined means all attributes. */
  readonly write: readonly string[] | undefined
  readonly refresh: { readonly life: number; readonly rotate: boolean; readonly grace: number }
  readonly accessLife: number
  readonly idLife: number
  readonly sessionLife: number
  readonly oauth: OAuthSettings
}
