import { agentClient } from '../config/agent-client.ts'
import { isDocumentUrl, matchesPattern } from '../config/document-pattern.ts'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'

const hour = 3_600_000

/**
 * Returns the client whose id is the URL of its document. Returns undefined if no policy of the pool accepts the URL, or if
 * the document cannot be used. The document is cached as long as the policy says.
 */
export async function documentClient(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock' | 'documents' | 'notice'>,
  pool: PoolSettings,
  url: string,
  address: string | undefined,
): Promise<ClientSettings | undefined> {
  const { documents, notice } = engine
  if (pool.clientDocuments.length === 0 || !isDocumentUrl(url, documents.mayBePrivate)) return undefined
  const policy = pool.clientDocuments.find(({ patterns }) => patterns.some(each => matchesPattern(each, url)))
  const template = policy && pool.clients.find(({ name }) => name === policy.client)
  if (template === undefined) return undefined
  const known = documents.known(url, policy!.cache)
  if (known === 'failed') return undefined
  try {
    if (known === undefined && !(await mayFetch(engine, pool, address))) return undefined
    const { name, uri, redirectUris } = await (known ?? documents.fetch(url))
    return agentClient(
      template,
      url,
      { kind: 'document', name: name ?? new URL(url).host, uri },
      redirectUris,
    )
  } catch (error) {
    if (known === undefined)
      notice(`The client document ${url} cannot be used: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** Counts a fetch, because anyone can name a URL. The address comes first, so that one caller cannot use up all. */
async function mayFetch(
  { store, vault, clock }: Pick<EngineContext, 'store' | 'vault' | 'clock'>,
  { id, limits }: PoolSettings,
  address: string | undefined,
): Promise<boolean> {
  const now = clock.now()
  const counts = (key: string, most: number) => store.count(id, key, { most, window: hour }, now)
  const digest = address && vault.digest(address, `client documents ${id}`)
  return (
    (digest === undefined || (await counts(`client documents ${digest}`, limits.documentsPerAddress))) &&
    (await counts('client documents', limits.documents))
  )
}
