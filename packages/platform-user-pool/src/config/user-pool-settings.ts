import type { ValuesOf } from '@signalbox/platform-runtime/config'
import type { Source } from '@signalbox/user-pool/contract'
import type { registrationFields } from './agent-config.ts'
import type { ClientConfig, clientFields, refreshFields } from './client-config.ts'
import type { sessionFields } from './kept-sign-ins-config.ts'
import type { limitFields } from './limits-config.ts'
import type { MigrationSettings } from './migration-config.ts'
import type { PagesSettings, Terms } from './pages-config.ts'
import type {
  identityProviderFields,
  mfaFields,
  passkeyFields,
  passwordFields,
  userPoolFields,
} from './user-pool-config.ts'

/** The settings of a pool, with defaults filled in. Times are in milliseconds. */
export interface PoolSettings
  extends OwnPoolSettings,
    Omit<ValuesOf<typeof userPoolFields>, keyof OwnPoolSettings | 'immutable'> {}

/** The settings of a pool that are not the values of its keys. */
interface OwnPoolSettings {
  readonly name: string
  readonly id: string
  /** The part of the id after the `_`. */
  readonly poolName: string
  readonly region: string
  readonly triggers: ReadonlyMap<Source, TriggerSettings>
  /** Additional rules for attributes, apart from their types, by full attribute name. */
  readonly rules: { readonly [attribute: string]: AttributeRules }
  readonly verify: readonly ('email' | 'phone')[]
  readonly limits: ValuesOf<typeof limitFields>
  /** The digests of leaked passwords. Undefined if the pool sends no notices. */
  readonly takeover: { readonly leaked: ReadonlySet<string> } | undefined
  /** How many milliseconds the pool keeps a sign-in. Undefined if it keeps none. */
  readonly history: number | undefined
  /** How the pool tracks sessions. Undefined if it does not. */
  readonly sessions: ValuesOf<typeof sessionFields> | undefined
  /**
   * The kinds of verified addresses that can receive a password-reset code, in order of preference. Empty when only
   * administrators may reset passwords. `legacy` prefers text messages to e-mail, as Cognito does when this setting is
   * missing.
   */
  readonly recovery: readonly ('email' | 'phone')[] | 'legacy'
  /** The pool's own message texts. */
  readonly texts: MessageTexts
  readonly password: PasswordSettings
  readonly mfa: ValuesOf<typeof mfaFields>
  readonly devices: DeviceSettings
  readonly passkeys: ValuesOf<typeof passkeyFields>
  readonly clients: readonly ClientSettings[]
  /** A host name of the pool's own. Only pools that the API creates have one. */
  readonly customDomain?: string | undefined
  readonly resourceServers: readonly ResourceServerSettings[]
  readonly identityProviders: readonly IdentityProviderSettings[]
  readonly clientDocuments: readonly DocumentPolicySettings[]
  /** The look of the hosted pages. */
  readonly pages: PagesSettings
  /** The pool that users come from. Undefined if there is none. */
  readonly migrateFrom: MigrationSettings | undefined
  /** How programs can register themselves. Undefined if they cannot. */
  readonly registration: ValuesOf<typeof registrationFields> | undefined
}

/** Which client documents a pool accepts, and for which client. */
interface DocumentPolicySettings {
  readonly patterns: readonly string[]
  /** The name of the client whose settings the programs get. */
  readonly client: string
  /** After how many milliseconds a document is fetched again. */
  readonly cache: number
}

/** A program that accepts access tokens. */
export interface ResourceServerSettings {
  readonly identifier: string
  readonly name: string
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
}

/** An external identity provider that uses OpenID Connect. */
export interface IdentityProviderSettings
  extends Omit<ValuesOf<typeof identityProviderFields>, 'clientSecret'> {
  readonly name: string
  /** The secret of the client at the provider. Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** Whether the configuration names the provider. If so, its issuer may be in a private network. */
  readonly isConfigured: boolean
}

/** The rights of a client at the hosted pages and the token endpoint. */
export interface OAuthSettings extends Required<Pick<ClientConfig, OAuthKey>> {}

type OAuthKey = 'grants' | 'callbacks' | 'logouts' | 'scopes' | 'providers'

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

export interface PasswordSettings extends Omit<ValuesOf<typeof passwordFields>, 'temporaryDays'> {
  readonly temporary: number
}

export interface ClientSettings extends Omit<ValuesOf<typeof clientFields>, OAuthKey | LifeKey> {
  readonly name: string
  readonly id: string
  readonly refresh: Omit<ValuesOf<typeof refreshFields>, 'days'> & { readonly life: number }
  readonly accessLife: number
  readonly idLife: number
  readonly sessionLife: number
  /** How old a sign-in on the hosted pages can be for this client, in a pool that tracks sessions. */
  readonly reuse: number
  /** The secrets of a client that the API has created. They replace `secret`. */
  readonly secrets?: readonly StoredSecret[]
  readonly oauth: OAuthSettings
  /** What the page for signing up refers to, for a client of the API. They replace those of the pool. */
  readonly terms?: Terms
  /** The look of the pages, for a client of the API that has its own. */
  readonly pages?: PagesSettings | undefined
  /**
   * What a program that nobody has configured says about itself. Users consent to what it may do. Undefined for clients
   * of the configuration or of administrators.
   */
  readonly agent?: AgentSettings
}

/** What a program says about itself, in its document or registration. Nothing of it is verified but the document's host. */
export interface AgentSettings {
  readonly kind: 'document' | 'registered'
  /** A name without control characters. */
  readonly name: string
  /** The page about the program, by https. */
  readonly uri?: string | undefined
}

/** A secret of a client that the API has created. It is derived, unless an administrator has chosen it. */
export interface StoredSecret {
  readonly id: string
  /** The time in milliseconds since the epoch. */
  readonly created: number
  /** Whether the client was created with this secret, so that its value does not depend on the id. */
  readonly isFirst?: boolean
  /** The encrypted value, if an administrator has chosen it. */
  readonly encrypted?: string
}

type LifeKey = 'accessMinutes' | 'idMinutes' | 'sessionMinutes' | 'reuseMinutes' | 'refresh'
