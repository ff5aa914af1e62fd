import type { ClientFlow } from '../config/client-config.ts'
import type { ClientSettings, OAuthSettings, StoredSecret } from '../config/user-pool-settings.ts'
import type { CreatedClient } from './created-pool.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Flows by their API names, including older names. */
const flows: { readonly [name: string]: ClientFlow } = {
  ALLOW_USER_SRP_AUTH: 'srp',
  ALLOW_USER_PASSWORD_AUTH: 'password',
  ALLOW_CUSTOM_AUTH: 'custom',
  ALLOW_USER_AUTH: 'choice',
  ALLOW_ADMIN_USER_PASSWORD_AUTH: 'admin',
  ALLOW_REFRESH_TOKEN_AUTH: 'refresh',
  ADMIN_NO_SRP_AUTH: 'admin',
  CUSTOM_AUTH_FLOW_ONLY: 'custom',
  USER_PASSWORD_AUTH: 'password',
}

/** The flows that every client with older flow names can use. */
const alwaysAllowed = ['srp', 'refresh'] as const

function flowsOf(names: readonly string[] | undefined): readonly ClientFlow[] {
  if (names === undefined || names.length === 0) return [...new Set(Object.values(flows))]
  const requested = names.flatMap(name => flows[name] ?? [])
  const isOlder = names.some(name => !name.startsWith('ALLOW_'))
  return [...new Set(isOlder ? [...requested, ...alwaysAllowed] : requested)]
}

/** Returns whether a string is the name of a flow. */
export function isFlowName(name: string): boolean {
  return Object.hasOwn(flows, name)
}

const units: { readonly [unit: string]: number } = {
  seconds: 1000,
  minutes: minute,
  hours: 60 * minute,
  days: day,
}

/** Returns the settings of a client created through the API, as sign-in flows use them. */
export function settingsOfCreatedClient(client: CreatedClient): ClientSettings {
  const { id, name, requested, reuseMinutes = 60 } = client
  const { refresh, ...lives } = tokenLives(requested)
  return {
    name,
    id,
    flows: flowsOf(requested.ExplicitAuthFlows),
    secret: requested.GenerateSecret === true,
    secrets: storedSecrets(client),
    hideUsers: requested.PreventUserExistenceErrors === 'ENABLED',
    read: listOf(requested.ReadAttributes),
    write: listOf(requested.WriteAttributes),
    refresh: {
      life: refresh,
      rotate: requested.RefreshTokenRotation?.Feature === 'ENABLED',
      grace: (requested.RefreshTokenRotation?.RetryGracePeriodSeconds ?? 0) * 1000,
    },
    ...lives,
    sessionLife: (requested.AuthSessionValidity ?? 3) * minute,
    reuse: reuseMinutes * minute,
    oauth: oauthSettings(requested),
  }
}

/** Returns the secrets of a client, the oldest first. */
export function storedSecrets({ id, created, requested, secrets }: CreatedClient): readonly StoredSecret[] {
  if (secrets !== undefined) return secrets
  const first = { id: `${id}--${Math.floor(created)}`, created, isFirst: true }
  return requested.GenerateSecret === true ? [first] : []
}

/** Returns how many milliseconds each kind of token of a client is valid. A refresh token of 0 has the default life. */
export function tokenLives(requested: CreatedClient['requested']): {
  readonly refresh: number
  readonly accessLife: number
  readonly idLife: number
} {
  const { TokenValidityUnits: unit = {} } = requested
  const life = (value: number | undefined, of: string | undefined, byDefault: string, standard: number) =>
    value === undefined ? standard : value * units[of ?? byDefault]!
  return {
    refresh: life(requested.RefreshTokenValidity || undefined, unit.RefreshToken, 'days', 30 * day),
    accessLife: life(requested.AccessTokenValidity, unit.AccessToken, 'hours', 60 * minute),
    idLife: life(requested.IdTokenValidity, unit.IdToken, 'hours', 60 * minute),
  }
}

function oauthSettings(requested: CreatedClient['requested']): OAuthSettings {
  const { CallbackURLs = [], LogoutURLs = [], AllowedOAuthFlows = [], AllowedOAuthScopes = [] } = requested
  const isAllowed = requested.AllowedOAuthFlowsUserPoolClient === true
  return {
    grants: isAllowed
      ? (['code', 'client_credentials'] as const).filter(each => AllowedOAuthFlows.includes(each))
      : [],
    callbacks: CallbackURLs,
    logouts: LogoutURLs,
    scopes: AllowedOAuthScopes,
    providers: requested.SupportedIdentityProviders ?? [],
  }
}

/** Converts an empty list to undefined, because an empty list also means that the setting is absent. */
function listOf(names: readonly string[] | undefined): readonly string[] | undefined {
  return names?.length === 0 ? undefined : names
}
