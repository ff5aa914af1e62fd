import type { AgentSettings, ClientSettings, PoolSettings } from './user-pool-settings.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How many milliseconds the tokens of registered clients are valid. */
export const registeredLives = { access: 60 * minute, refresh: 30 * day }

/** Returns the settings of a client that nobody has configured, with a template for those that it cannot choose. */
export function agentClient(
  template: ClientSettings,
  id: string,
  agent: AgentSettings,
  redirectUris: readonly string[],
): ClientSettings {
  const { secrets: _, ...settings } = template
  return {
    ...settings,
    id,
    agent,
    name: agent.name,
    // The API signs users in without a page, and so without their consent.
    flows: [],
    secret: false,
    // The refresh tokens of a client without a secret rotate, so that the use of a stolen one shows.
    refresh: template.refresh.rotate
      ? template.refresh
      : { ...template.refresh, rotate: true, grace: minute },
    oauth: { ...template.oauth, grants: ['code'], callbacks: redirectUris, logouts: [] },
  }
}

/** Returns the settings that all registered clients have. Their refresh tokens rotate, since they have no secret. */
export function registeredTemplate(pool: PoolSettings, scopes: readonly string[]): ClientSettings {
  return {
    name: '',
    id: '',
    flows: [],
    secret: false,
    hideUsers: true,
    read: undefined,
    write: undefined,
    refresh: { life: registeredLives.refresh, rotate: true, grace: minute },
    accessLife: registeredLives.access,
    idLife: registeredLives.access,
    sessionLife: 3 * minute,
    reuse: 60 * minute,
    oauth: {
      grants: ['code'],
      callbacks: [],
      logouts: [],
      scopes,
      providers: pool.identityProviders.map(({ name }) => name),
    },
  }
}
