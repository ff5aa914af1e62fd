import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { documentClient } from './document-client.ts'
import { registeredClient } from './registered-clients.ts'

/**
 * Returns the client with an id: one of the pool's own, one with a document, or a registered one. Returns undefined for an
 * unknown client, and for one whose document cannot be used.
 * @param address the network address of the caller, by which fetches of documents are counted
 */
export async function clientOf(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock' | 'documents' | 'notice'>,
  pool: PoolSettings,
  id: string | undefined,
  address: string | undefined,
): Promise<ClientSettings | undefined> {
  if (id === undefined) return undefined
  const own = pool.clients.find(client => client.id === id)
  if (own !== undefined) return own
  if (/^https?:/.test(id)) return documentClient(engine, pool, id, address)
  return registeredClient(engine, pool, id)
}
