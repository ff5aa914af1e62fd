import { agentClient } from '../config/agent-client.ts'
import { isDocumentUrl, matchesPattern, namesHost } from '../config/document-pattern.ts'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientDocument } from '../context/client-documents.ts'
import type { EngineContext } from '../context/engine-context.ts'
import type { Credential } from '../store/user-pool-store.ts'

const hour = 3_600_000
/** How many milliseconds a document is kept that no user has signed in with, because anyone can name one. */
const unused = hour
/** How many milliseconds a document serves longer than its policy says, if it cannot be fetched again. */
const spare = 7 * 24 * hour

/** A document, as it is stored. */
interface StoredDocument extends ClientDocument {
  /** The time of the fetch, in milliseconds since the epoch. */
  readonly fetched: number
  /** Whether a user has signed in. */
  readonly isKept: boolean
}

type Context = Pick<EngineContext, 'store' | 'vault' | 'clock' | 'documents' | 'notice'>
type StoreContext = Pick<EngineContext, 'store' | 'vault' | 'clock'>

/**
 * Returns the client whose id is the URL of its document. Returns undefined if no policy of the pool accepts the URL, or if
 * the document cannot be used. The document is stored as long as the policy says, and longer while it cannot be fetched
 * again, so that the users of a known client do not depend on another server at each moment.
 * @param address the network address of the caller, by which fetches are counted
 */
export async function documentClient(
  engine: Context,
  pool: PoolSettings,
  url: string,
  address: string | undefined,
): Promise<ClientSettings | undefined> {
  if (pool.clientDocuments.length === 0 || !isDocumentUrl(url, engine.documents.mayBePrivate))
    return undefined
  const policy = policyOf(pool, url)
  const template = policy && pool.clients.find(({ name }) => name === policy.client)
  if (policy === undefined || template === undefined) return undefined
  const stored = await storedDocument(engine, pool, url)
  const isFresh =
    stored !== undefined && Math.abs(engine.clock.now() - stored.document.fetched) < policy.cache
  const document = isFresh
    ? stored.document
    : ((await fetched(engine, pool, url, address, stored?.document.isKept === true)) ?? stored?.document)
  if (document === undefined) return undefined
  const { name, uri, redirectUris } = document
  const agent = { kind: 'document', name: name ?? new URL(url).host, uri } as const
  return agentClient(template, url, agent, redirectUris)
}

function policyOf({ clientDocuments }: PoolSettings, url: string) {
  return clientDocuments.find(({ patterns }) => patterns.some(each => matchesPattern(each, url)))
}

/** Returns how many milliseconds a document is kept in the store after it was fetched. */
function lifeOf(pool: PoolSettings, url: string, isKept: boolean): number {
  return isKept ? (policyOf(pool, url)?.cache ?? 0) + spare : unused
}

/** Returns how many milliseconds a pool keeps a document at most. */
export function longestDocument({ clientDocuments }: PoolSettings): number {
  return Math.max(unused, ...clientDocuments.map(({ cache }) => cache + spare))
}

function idOf({ vault }: Pick<EngineContext, 'vault'>, { id }: PoolSettings, url: string): string {
  return vault.digest(url, `client document ${id}`)
}

async function storedDocument(
  engine: StoreContext,
  pool: PoolSettings,
  url: string,
): Promise<{ readonly credential: Credential; readonly document: StoredDocument } | undefined> {
  const now = engine.clock.now()
  const credential = await engine.store.credential(pool.id, 'document', idOf(engine, pool, url), now)
  return credential && { credential, document: JSON.parse(credential.value) as StoredDocument }
}

/** Fetches and stores a document. Returns undefined if it cannot be fetched or used, or was fetched too often. */
async function fetched(
  engine: Context,
  pool: PoolSettings,
  url: string,
  address: string | undefined,
  isKept: boolean,
): Promise<ClientDocument | undefined> {
  const { documents, notice, store, clock } = engine
  // A pattern such as `https://*` lets anyone choose the host, which must then be a public one.
  const isNamed = pool.clientDocuments.some(({ patterns }) =>
    patterns.some(each => matchesPattern(each, url) && namesHost(each, url)),
  )
  const isPrivate = isNamed && documents.mayBePrivate(new URL(url))
  if (documents.hasFailed(url, isPrivate) || !(await mayFetch(engine, pool, address))) return undefined
  try {
    const document = await documents.fetch(url, isPrivate)
    const now = clock.now()
    const value = JSON.stringify({ ...document, fetched: now, isKept } satisfies StoredDocument)
    const expires = now + lifeOf(pool, url, isKept)
    const puts = [{ kind: 'document', id: idOf(engine, pool, url), user: '', expires, value }] as const
    await store.change({ pool: pool.id, now, puts })
    return document
  } catch (error) {
    notice(`The client document ${url} cannot be used: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** Keeps the document of a client for longer, because a user has signed in with it. */
export async function keepDocument(
  engine: StoreContext,
  pool: PoolSettings,
  { id, agent }: ClientSettings,
): Promise<void> {
  if (agent?.kind !== 'document') return
  const found = await storedDocument(engine, pool, id)
  if (found === undefined || found.document.isKept) return
  const { credential, document } = found
  const value = JSON.stringify({ ...document, isKept: true } satisfies StoredDocument)
  const put = { ...credential, expires: document.fetched + lifeOf(pool, id, true), value }
  const { kind, value: was } = credential
  const uses = [{ kind, id: credential.id, value: was }]
  await engine.store.change({ pool: pool.id, now: engine.clock.now(), uses, puts: [put] })
}

/** Counts a fetch, because anyone can name a URL. The address comes first, so that one caller cannot use up all. */
async function mayFetch(
  { store, vault, clock }: StoreContext,
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
