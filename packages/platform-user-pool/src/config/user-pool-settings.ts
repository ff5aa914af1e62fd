import { createHash } from 'node:crypto'
import type { Location } from '@signalbox/platform-runtime'
import type { SecretConfig } from '@signalbox/platform-runtime/config'
import { type Source, sourcesOf } from '@signalbox/user-pool/contract'
import { identityScopes } from '../oidc/identity-scopes.ts'
import type {
  ClientConfig,
  ClientFlow,
  FirstFactor,
  GroupConfig,
  IdentityProviderConfig,
  MfaConfig,
  OAuthGrant,
  PasskeyConfig,
  ResourceServerConfig,
  SignInName,
  TriggerFunctionConfig,
  TriggerListConfig,
  UserPoolConfig,
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

const minute = 60_000
const day = 24 * 60 * minute

/**
 * The region in pool ids if the configured region does not look like an AWS region, because `aws-jwt-verify` accepts no
 * other form.
 */
const localRegion = 'xx-local-1'

/** Returns the default id of a pool. */
export function poolId(name: string, { region }: Location): string {
  const shaped = /^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? region : localRegion
  return `${shaped}_${derived(`pool ${name}`, 9, base62)}`
}

/** Returns the default id of a client. */
export function clientId(pool: string, name: string): string {
  return derived(`client ${pool} ${name}`, 26, base36)
}

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const base62 = `${base36}${base36.slice(10).toUpperCase()}`

function derived(text: string, length: number, letters: string): string {
  const digest = createHash('sha512').update(text).digest()
  return Array.from({ length }, (_, at) => letters[digest[at]! % letters.length]).join('')
}

/**
 * Fills in the defaults of a pool.
 * @param config a valid pool
 */
export function poolSettings(
  name: string,
  config: UserPoolConfig,
  location: Location,
  secretOf: (secret: SecretConfig) => string,
): PoolSettings {
  const { signIn = ['name'], password = {}, groups = {}, custom = {}, required = [] } = config
  const { id = poolId(name, location), signUp = true } = config
  const [region, poolName] = id.split('_') as [string, string]
  const signsInWith = (['email', 'phone'] as const).filter(each => signIn.includes(each))
  return {
    name,
    id,
    poolName,
    region,
    triggers: triggersOf(config.triggers),
    signIn,
    required,
    custom,
    rules: Object.fromEntries((config.immutable ?? []).map(name => [name, { mutable: false }])),
    verify: config.verify ?? (signsInWith.length > 0 ? signsInWith : ['email']),
    from: config.from,
    signUp,
    recovery: config.recovery ?? ['email', 'phone'],
    texts: {},
    password: {
      min: password.min ?? 8,
      lower: password.lower ?? true,
      upper: password.upper ?? true,
      digits: password.digits ?? true,
      symbols: password.symbols ?? true,
      temporary: (password.temporaryDays ?? 7) * day,
    },
    mfa: { mode: config.mfa === undefined ? 'off' : 'optional', by: ['totp'], ...config.mfa },
    devices: { remember: config.devices ?? 'off', skipFactor: true },
    firstFactors: config.firstFactors ?? ['password'],
    passkeys: {
      relyingParty: undefined,
      userVerification: 'preferred',
      bothFactors: false,
      ...config.passkeys,
    },
    groups,
    clients: Object.entries(config.clients).map(([client, each]) =>
      clientSettings(id, client, each, Object.keys(config.identityProviders ?? {})),
    ),
    domain: config.domain,
    resourceServers: Object.entries(config.resourceServers ?? {}).map(resourceServerSettings),
    identityProviders: Object.entries(config.identityProviders ?? {}).map(([provider, each]) =>
      identityProviderSettings(provider, each, secretOf),
    ),
  }
}

function resourceServerSettings([identifier, { name = identifier, scopes }]: [
  string,
  ResourceServerConfig,
]): ResourceServerSettings {
  return {
    identifier,
    name,
    scopes: Object.entries(scopes).map(([scope, description]) => ({ name: scope, description })),
  }
}

function identityProviderSettings(
  name: string,
  { issuer, clientId: id, clientSecret, scopes, attributes, identifiers = [] }: IdentityProviderConfig,
  secretOf: (secret: SecretConfig) => string,
): IdentityProviderSettings {
  return {
    name,
    issuer,
    clientId: id,
    clientSecret: clientSecret === undefined ? undefined : secretOf(clientSecret),
    scopes: scopes ?? ['openid', 'email', 'profile'],
    attributes: attributes ?? { email: 'email' },
    identifiers,
  }
}

function clientSettings(
  pool: string,
  name: string,
  config: ClientConfig,
  providers: readonly string[],
): ClientSettings {
  const { id = clientId(pool, name), flows = ['srp', 'refresh'], secret = false, hideUsers = true } = config
  const { refresh = {}, accessMinutes = 60, idMinutes = 60, sessionMinutes = 3 } = config
  return {
    name,
    id,
    flows,
    secret,
    hideUsers,
    read: config.read,
    write: config.write,
    refresh: {
      life: (refresh.days ?? 30) * day,
      rotate: refresh.rotate ?? false,
      grace: (refresh.grace ?? 0) * 1000,
    },
    accessLife: accessMinutes * minute,
    idLife: idMinutes * minute,
    sessionLife: sessionMinutes * minute,
    oauth: oauthSettings(config, providers),
  }
}

function oauthSettings(
  { callbacks = [], logouts = [], grants, scopes, providers }: ClientConfig,
  all: readonly string[],
): OAuthSettings {
  const hasPages = callbacks.length > 0
  return {
    grants: grants ?? (hasPages ? ['code'] : []),
    callbacks,
    logouts,
    scopes: scopes ?? (hasPages ? identityScopes : []),
    providers: providers ?? all,
  }
}

function triggersOf(config: UserPoolConfig['triggers']): ReadonlyMap<Source, TriggerSettings> {
  if (config === undefined) return new Map()
  const entries: readonly (readonly [name: string, callee: string | TriggerFunctionConfig])[] = isList(config)
    ? config.routes.map(name => [name, config] as const)
    : Object.entries(config)
  // The entry of a source overrides the entry of its trigger, regardless of their order.
  const ordered = [...entries].sort(([one], [other]) => sourcesOf(other).length - sourcesOf(one).length)
  return new Map(
    ordered.flatMap(([name, callee]) => {
      const { function: functionName, version = 1 } =
        typeof callee === 'string' ? { function: callee } : callee
      return sourcesOf(name).map(source => {
        const isVersioned = source.startsWith('TokenGeneration')
        return [source, { functionName, version: `${isVersioned ? version : 1}` }] as [
          Source,
          TriggerSettings,
        ]
      })
    }),
  )
}

function isList(config: NonNullable<UserPoolConfig['triggers']>): config is TriggerListConfig {
  return 'routes' in config
}
