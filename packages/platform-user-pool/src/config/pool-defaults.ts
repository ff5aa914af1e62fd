import type { Location } from '@signalbox/platform-runtime'
import type { SecretConfig } from '@signalbox/platform-runtime/config'
import { type Source, sourcesOf } from '@signalbox/user-pool/contract'
import { clientId, poolId } from './pool-ids.ts'
import { identityScopes } from './scope-names.ts'
import type {
  ClientConfig,
  IdentityProviderConfig,
  ResourceServerConfig,
  TriggerFunctionConfig,
  TriggerListConfig,
  UserPoolConfig,
} from './user-pool-config.ts'
import type {
  ClientSettings,
  IdentityProviderSettings,
  OAuthSettings,
  PoolSettings,
  ResourceServerSettings,
  TriggerSettings,
} from './user-pool-settings.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The rules for standard attributes, as in pools that the API creates. */
const standardRules: PoolSettings['rules'] = { birthdate: { least: 10, most: 10 } }

/** How much clients without credentials can make a pool do in an hour. */
export const defaultLimits: PoolSettings['limits'] = {
  signUps: 10_000,
  signUpsPerAddress: 1000,
  messages: 50,
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
    rules: {
      ...standardRules,
      ...Object.fromEntries(
        (config.immutable ?? []).map(name => [name, { ...standardRules[name], mutable: false }]),
      ),
    },
    verify: config.verify ?? (signsInWith.length > 0 ? signsInWith : ['email']),
    from: config.from,
    signUp,
    limits: { ...defaultLimits, ...config.limits },
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
    isConfigured: true,
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
