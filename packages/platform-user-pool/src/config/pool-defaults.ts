import type { Location } from '@signalbox/platform-runtime'
import { type SecretConfig, valuesOf } from '@signalbox/platform-runtime/config'
import { type Source, sourcesOf } from '@signalbox/user-pool/contract'
import type { ResourceServerConfig } from './agent-config.ts'
import { documentPolicyFields, registrationFields } from './agent-config.ts'
import { type ClientConfig, clientFields, identityScopes, refreshFields } from './client-config.ts'
import { historyFields, sessionFields } from './kept-sign-ins-config.ts'
import { limitFields } from './limits-config.ts'
import { migrationSettings } from './migration-config.ts'
import { clientId, poolId } from './pool-ids.ts'
import {
  type IdentityProviderConfig,
  identityProviderFields,
  mfaFields,
  type PasswordConfig,
  passkeyFields,
  passwordFields,
  type TriggerFunctionConfig,
  type TriggerListConfig,
  type UserPoolConfig,
  userPoolFields,
} from './user-pool-config.ts'
import type {
  ClientSettings,
  IdentityProviderSettings,
  PasswordSettings,
  PoolSettings,
  ResourceServerSettings,
  TriggerSettings,
} from './user-pool-settings.ts'

/** The rules for standard attributes, as in pools that the API creates. */
const standardRules: PoolSettings['rules'] = { birthdate: { least: 10, most: 10 } }

/**
 * Fills in the defaults of a pool.
 * @param config a valid pool
 */
export function poolSettings(
  name: string,
  config: UserPoolConfig,
  location: Location,
  secretOf: (secret: SecretConfig) => string,
  leakedIn: (file: string) => ReadonlySet<string>,
  logoIn: (file: string) => string,
): PoolSettings {
  const { immutable, ...values } = valuesOf(userPoolFields, config)
  const { id = poolId(name, location), signIn, resourceServers, identityProviders, migrateFrom } = values
  const [region, poolName] = id.split('_') as [string, string]
  const signsInWith = (['email', 'phone'] as const).filter(each => signIn.includes(each))
  return {
    ...values,
    name,
    id,
    poolName,
    region,
    triggers: triggersOf(config.triggers),
    rules: {
      ...standardRules,
      ...Object.fromEntries(immutable.map(name => [name, { ...standardRules[name], mutable: false }])),
    },
    verify: values.verify ?? (signsInWith.length > 0 ? signsInWith : ['email']),
    limits: valuesOf(limitFields, values.limits),
    takeover: values.takeover && {
      leaked: values.takeover.leaked === undefined ? new Set() : leakedIn(values.takeover.leaked),
    },
    pages: { ...values.pages, logo: values.pages.logo && logoIn(values.pages.logo) },
    history: values.history && valuesOf(historyFields, values.history).days,
    sessions: values.sessions && valuesOf(sessionFields, values.sessions),
    texts: {},
    password: passwordSettings(values.password),
    mfa: valuesOf(mfaFields, config.mfa ?? { mode: 'off' }),
    devices: { remember: values.devices, skipFactor: true },
    passkeys: valuesOf(passkeyFields, values.passkeys),
    clients: Object.entries(config.clients).map(([client, each]) =>
      clientSettings(id, client, each, Object.keys(identityProviders)),
    ),
    resourceServers: Object.entries(resourceServers).map(resourceServerSettings),
    clientDocuments: Object.values(values.clientDocuments).map(policy => {
      const { patterns, client, cacheDays } = valuesOf(documentPolicyFields, policy)
      return { patterns, client, cache: cacheDays }
    }),
    migrateFrom:
      migrateFrom &&
      migrationSettings(
        migrateFrom,
        migrateFrom.clientSecret === undefined ? undefined : secretOf(migrateFrom.clientSecret),
      ),
    registration: values.registration && valuesOf(registrationFields, values.registration),
    identityProviders: Object.entries(identityProviders).map(([provider, each]) =>
      identityProviderSettings(provider, each, secretOf),
    ),
  }
}

/** Fills in the defaults of the rules for passwords. */
export function passwordSettings(
  config: {
    readonly [K in keyof PasswordConfig]?: PasswordConfig[K] | undefined
  },
): PasswordSettings {
  const { temporaryDays: temporary, ...values } = valuesOf(passwordFields, config)
  return { ...values, temporary }
}

function resourceServerSettings([key, { identifier = key, name = key, scopes }]: [
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
  config: IdentityProviderConfig,
  secretOf: (secret: SecretConfig) => string,
): IdentityProviderSettings {
  const { clientSecret, ...values } = valuesOf(identityProviderFields, config)
  return {
    ...values,
    name,
    clientSecret: clientSecret === undefined ? undefined : secretOf(clientSecret),
    isConfigured: true,
  }
}

function clientSettings(
  pool: string,
  name: string,
  config: ClientConfig,
  providers: readonly string[],
): ClientSettings {
  const { grants, callbacks, logouts, scopes, providers: own, ...values } = valuesOf(clientFields, config)
  const { accessMinutes: accessLife, idMinutes: idLife, sessionMinutes: sessionLife, ...others } = values
  const { reuseMinutes: reuse, ...rest } = others
  const { days: life, ...refresh } = valuesOf(refreshFields, rest.refresh)
  const hasPages = callbacks.length > 0 || grants?.includes('device_code') === true
  return {
    ...rest,
    name,
    id: rest.id ?? clientId(pool, name),
    refresh: { life, ...refresh },
    accessLife,
    idLife,
    sessionLife,
    reuse,
    oauth: {
      grants: grants ?? (callbacks.length > 0 ? ['code'] : []),
      callbacks,
      logouts,
      scopes: scopes ?? (hasPages ? identityScopes : []),
      providers: own ?? providers,
    },
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
