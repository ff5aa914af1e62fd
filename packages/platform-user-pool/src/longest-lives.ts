import { rememberedConsent } from './agents/consents.ts'
import { longestDocument } from './agents/document-client.ts'
import { rememberedClient } from './agents/registered-clients.ts'
import { registeredLives } from './config/agent-client.ts'
import { longestHistory } from './config/kept-sign-ins-config.ts'
import type { PoolSettings } from './config/user-pool-settings.ts'
import { browserLife } from './flows/sign-in/new-browser-session.ts'
import type { LongestLives } from './store/user-pool-store.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns how long the data of a pool can be valid at most, with the time for which expired data is remembered. */
export function longestLives(pool: PoolSettings): LongestLives {
  const { clients, password, registration } = pool
  const registered = registration === undefined ? { refresh: 0, access: 0 } : registeredLives
  const refresh = Math.max(registered.refresh, ...clients.map(client => client.refresh.life))
  const access = Math.max(registered.access, ...clients.map(client => client.accessLife))
  return {
    temporaryPassword: password.temporary,
    credentials: {
      code: day + hour,
      session: browserLife(pool),
      grant: refresh + access,
      refresh: refresh + day,
      spent: Math.max(refresh, hour),
      import: 90 * day,
      file: 90 * day,
      client: rememberedClient,
      consent: rememberedConsent,
      document: longestDocument(pool),
      'sign-in': longestHistory,
    },
  }
}
