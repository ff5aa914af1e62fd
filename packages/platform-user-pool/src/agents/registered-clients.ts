import { randomUuid } from '@signalbox/platform-runtime'
import { agentClient, registeredTemplate } from '../config/agent-client.ts'
import { identityScopes, ownScope } from '../config/client-config.ts'
import { clientId } from '../config/pool-ids.ts'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import type { Credential } from '../store/user-pool-store.ts'
import { resourceScopes } from '../tokens/scopes.ts'

const hour = 3_600_000
const day = 24 * hour

/** How many milliseconds a registration is kept that no user has signed in with. */
const unused = day
/** For how many milliseconds no other registration replaces one, so that its user has time to sign in. */
const firstUse = 10 * 60_000
/** How many further clients are kept for one user in thirty days. The others end a day after their registration. */
const keptPerUser = { most: 50, window: 30 * day }
/** How many milliseconds a client is kept after a user has signed in. */
export const rememberedClient = 400 * day

/** How often a registration looks for another client to replace, because the one that it found was kept or replaced. */
const attempts = 5

/** A registered client, as it is stored. */
export interface RegisteredClient {
  readonly id: string
  readonly name: string
  readonly uri?: string | undefined
  readonly redirectUris: readonly string[]
  /** The scopes that the client has registered. Undefined for all that the pool allows. */
  readonly scopes?: readonly string[] | undefined
  /** The time in milliseconds since the epoch. */
  readonly created: number
  /** Whether a user has signed in with the client, so that no other registration replaces it. */
  readonly isKept?: true
}

type Context = Pick<EngineContext, 'store' | 'clock'>

/** Returns the scopes that registered clients of a pool can ask for. */
export function registeredScopes(pool: PoolSettings): readonly string[] {
  const own = [ownScope, ...resourceScopes(pool)]
  const listed = (pool.registration?.scopes ?? []).filter(scope => own.includes(scope))
  return [...new Set([...identityScopes, ...listed])]
}

/** Returns the scopes that a registered client can ask for: those that it has registered, as far as the pool allows them. */
export function scopesOfRegistered(
  pool: PoolSettings,
  { scopes }: Pick<RegisteredClient, 'scopes'>,
): readonly string[] {
  const possible = registeredScopes(pool)
  return scopes === undefined ? possible : possible.filter(scope => scopes.includes(scope))
}

/** Returns the registered client with this id. There is none in a pool whose registration is off. */
export async function registeredClient(
  engine: Context,
  pool: PoolSettings,
  id: string,
): Promise<ClientSettings | undefined> {
  if (pool.registration === undefined) return undefined
  const found = await storedClient(engine, pool, id)
  if (found === undefined) return undefined
  const client = clientIn(found)
  const { name, uri, redirectUris } = client
  const template = registeredTemplate(pool, scopesOfRegistered(pool, client))
  return agentClient(template, id, { kind: 'registered', name, uri }, redirectUris)
}

/** Returns the registered clients of a pool, in order of their ids. */
export async function registeredClients(
  { store, clock }: Context,
  { id }: Pick<PoolSettings, 'id'>,
): Promise<readonly RegisteredClient[]> {
  return (await store.credentialsOf(id, '', 'client', clock.now())).map(clientIn)
}

/** Returns a registered client as it is stored. */
export async function storedRegistration(
  engine: Context,
  pool: PoolSettings,
  id: string,
): Promise<RegisteredClient | undefined> {
  const found = await storedClient(engine, pool, id)
  return found && clientIn(found)
}

function clientIn({ value }: Credential): RegisteredClient {
  return JSON.parse(value) as RegisteredClient
}

async function storedClient({ store, clock }: Context, pool: PoolSettings, id: string) {
  if (!/^[a-z\d]{26}$/.test(id)) return undefined
  return store.credential(pool.id, 'client', id, clock.now())
}

/**
 * Registers a client. In a full pool, it replaces the oldest one that no user has signed in with, after ten minutes. Returns
 * undefined when there are too many in an hour, or in the pool.
 * @param address the network address of the program, by which registrations are counted
 */
export async function register(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock' | 'random'>,
  pool: PoolSettings,
  described: Pick<RegisteredClient, 'name' | 'uri' | 'redirectUris' | 'scopes'>,
  address: string | undefined,
): Promise<RegisteredClient | undefined> {
  const { store, vault, clock, random } = engine
  const { most, perHour, perAddress } = pool.registration!
  const now = clock.now()
  const counts = (key: string, limit: number) => store.count(pool.id, key, { most: limit, window: hour }, now)
  const digest = address && vault.digest(address, `registrations ${pool.id}`)
  if (digest !== undefined && !(await counts(`registrations ${digest}`, perAddress))) return undefined
  if (!(await counts('registrations', perHour))) return undefined
  const client: RegisteredClient = { id: clientId(pool.id, randomUuid(random)), ...described, created: now }
  const { id } = client
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const isFull = (await store.countCredentials(pool.id, 'client', now)) >= most
    // Those that no user has signed in with expire first.
    const oldest = isFull ? await store.nextToExpire(pool.id, 'client', now) : undefined
    if (isFull && (oldest === undefined || oldest.expires > now + unused - firstUse)) return undefined
    const refusal = await store.change({
      pool: pool.id,
      now,
      // The change is refused if a user has signed in with the oldest one in the meantime.
      ...(oldest !== undefined && { uses: [{ kind: 'client', id: oldest.id, value: oldest.value }] }),
      adds: [{ kind: 'client', id, user: '', expires: now + unused, value: JSON.stringify(client) }],
    })
    if (refusal === undefined) return client
  }
  return undefined
}

/** Keeps a registered client for longer, because a user has signed in with it, unless the user has many. */
export async function keepClient(
  engine: Context,
  pool: PoolSettings,
  client: ClientSettings,
  user: string,
): Promise<void> {
  if (client.agent?.kind !== 'registered') return
  const { store, clock } = engine
  const now = clock.now()
  const found = await storedClient(engine, pool, client.id)
  // A write on each sign-in would cost more than it brings.
  if (found === undefined || found.expires > now + rememberedClient - day) return
  const isFirst = found.expires <= now + unused
  if (isFirst && !(await store.count(pool.id, `kept clients ${user}`, keptPerUser, now))) return
  const { kind, id, value } = found
  const kept: RegisteredClient = { ...clientIn(found), isKept: true }
  const puts = [{ ...found, expires: now + rememberedClient, value: JSON.stringify(kept) }]
  await store.change({ pool: pool.id, now, uses: [{ kind, id, value }], puts })
}

/** Removes a registered client. Its tokens cannot be refreshed any more. Returns whether it was there. */
export async function removeClient(engine: Context, pool: PoolSettings, id: string): Promise<boolean> {
  const { store, clock } = engine
  const refusal = await store.change({ pool: pool.id, now: clock.now(), uses: [{ kind: 'client', id }] })
  return refusal === undefined
}
