import {
  type Location,
  type OutboundMailer,
  randomUuid,
  type SourceContext,
} from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import { clientOf } from './agents/client-of.ts'
import { clientId, poolId } from './config/pool-ids.ts'
import type { ClientSettings, PoolSettings } from './config/user-pool-settings.ts'
import { clientDocuments } from './context/client-documents.ts'
import type { ClientCaller, EngineContext, FlowCaller } from './context/engine-context.ts'
import { providerClients } from './context/provider-clients.ts'
import { signInCounts } from './context/sign-in-counts.ts'
import { signingKeys } from './context/signing-keys.ts'
import { type CreatedPools, createdPools } from './created-pools/created-pools.ts'
import { noticeOfFlows } from './created-pools/notice-of-flows.ts'
import { resumeImportJobs } from './flows/accounts/import-jobs.ts'
import { resumeMessages } from './flows/messages/resume-messages.ts'
import { triggerCaller } from './flows/triggers/call-trigger.ts'
import { longestLives } from './longest-lives.ts'
import type { UserPoolStore } from './store/user-pool-store.ts'
import { type Bearer, bearerOf, poolOfToken } from './tokens/access-token.ts'
import { UserPoolError } from './user-pool-error.ts'

/** The user pools as operations use them, without a listener. */
export interface Engine extends EngineContext {
  /** The configured pools, followed by the pools created through the API. */
  readonly pools: readonly PoolSettings[]
  readonly createdPools: CreatedPools
  /**
   * Returns the address of a pool at this listener.
   * @param origin the address of the listener that a request was sent to
   */
  readonly addressOf: (pool: PoolSettings, origin: string) => string
  /** The account number in pool ARNs. */
  readonly account: string
  /** Creates an id for a pool that is created through the API. */
  readonly newPoolId: () => string
  /** Creates an id for a client that is created through the API. */
  readonly newClientId: () => string
  /**
   * Returns the pool with this id.
   * @throws UserPoolError for an unknown pool
   */
  readonly poolOf: (id: string) => PoolSettings
  /**
   * Returns a caller that uses this client.
   * @throws UserPoolError for an unknown client
   */
  readonly clientCaller: (clientId: string, sdk: string) => ClientCaller
  readonly adminCaller: (poolId: string, sdk: string) => FlowCaller
  /**
   * Checks an access token, and returns its user as the caller.
   * @throws UserPoolError for an invalid access token
   */
  readonly tokenCaller: (token: string, sdk: string) => Promise<Bearer & { readonly caller: FlowCaller }>
  /** Creates the configured groups, and sends messages that were still waiting when the platform last stopped. */
  readonly start: () => Promise<void>
  /** Resolves as soon as no work is running. */
  readonly settled: () => Promise<void>
  /**
   * Deletes all accounts, with their groups, codes and messages, and the pools that the API created. The configured
   * pools keep their signing keys, which functions may have read. Does nothing to what several platforms share.
   */
  readonly clear: () => Promise<void>
  /** Cancels scheduled work. Resolves as soon as no work is running. */
  readonly stop: () => Promise<void>
}

export interface EngineParts {
  readonly pools: readonly PoolSettings[]
  readonly store: UserPoolStore
  readonly vault: Vault
  readonly context: SourceContext
  readonly mailer: OutboundMailer | undefined
  readonly issuer: (pool: PoolSettings) => string
  /** Whether the issuer is an address of another service, so that this listener is not below it. */
  readonly hasForeignIssuer?: boolean
  /** The region and account in the ids and ARNs of pools that the API creates. */
  readonly location?: Location
  /** The hosts where providers of created pools may be although they are not public. Default: none. */
  readonly privateProviderHosts?: readonly string[]
}

/** Creates a user-pool engine that works on a store. See docs/decisions/user-pools.md#the-engine. */
export function userPoolEngine(parts: EngineParts): Engine {
  const { pools: configured, store, vault, context, mailer, issuer, location = nowhere } = parts
  const { hasForeignIssuer = false } = parts
  const { clock, machineClock, random, notice } = context
  let pools: readonly PoolSettings[] = []
  const byId = new Map<string, PoolSettings>()
  const byClient = new Map<string, { readonly pool: PoolSettings; readonly client: ClientSettings }>()
  const know = (all: readonly PoolSettings[]) => {
    pools = all
    byId.clear()
    byClient.clear()
    for (const pool of all) {
      byId.set(pool.id, pool)
      for (const client of pool.clients) byClient.set(client.id, { pool, client })
    }
  }
  know(configured)
  const noticeFlows = noticeOfFlows(notice)
  const ofApi = createdPools(store, () => {
    know([...configured, ...ofApi.settings()])
    noticeFlows(ofApi.all())
  })
  const providers = providerClients(parts.privateProviderHosts ?? [])
  const working = new Set<Promise<void>>()
  const background = (work: Promise<void>) => {
    const ended = work
      .catch(error =>
        notice(`A user pool could not finish something: ${error instanceof Error ? error.message : error}`),
      )
      .finally(() => working.delete(ended))
    working.add(ended)
  }
  const cancels = new Set<() => void>()
  const later = (ms: number, work: () => Promise<void>) => {
    const cancel = clock.after(ms, () => {
      cancels.delete(cancel)
      background(work())
    })
    cancels.add(cancel)
  }
  const poolOf = (id: string) => {
    const pool = byId.get(id)
    if (pool === undefined)
      throw new UserPoolError('ResourceNotFoundException', `User pool ${id} does not exist.`)
    return pool
  }
  const engine: Engine = {
    store,
    vault,
    clock,
    machineClock,
    random,
    notice,
    mailer,
    providers,
    documents: clientDocuments(clock, providers.mayBePrivate),
    countSignIn: signInCounts(context.meter, configured),
    answering: new Set(),
    background,
    later,
    issuer,
    addressOf: (pool, origin) => (hasForeignIssuer ? `${origin}/${pool.id}` : issuer(pool)),
    keys: signingKeys(store, vault, clock, random),
    callTrigger: triggerCaller(context),
    get pools() {
      return pools
    },
    createdPools: ofApi,
    account: location.account,
    newPoolId: () => poolId(randomUuid(random), location),
    newClientId: () => clientId('', randomUuid(random)),
    poolOf,
    clientCaller(id, sdk) {
      const found = byClient.get(id)
      if (found === undefined)
        throw new UserPoolError('ResourceNotFoundException', `User pool client ${id} does not exist.`)
      return { ...found, sdk }
    },
    adminCaller: (id, sdk) => ({ pool: poolOf(id), client: undefined, sdk }),
    async tokenCaller(token, sdk) {
      const pool = poolOfToken(token, pools, issuer)
      const bearer = await bearerOf(engine, pool, token)
      const client = await clientOf(engine, pool, bearer.clientId, undefined)
      if (client === undefined)
        throw new UserPoolError('NotAuthorizedException', 'Access Token has been revoked')
      return { ...bearer, caller: { pool, client, sdk } }
    },
    async start() {
      await ofApi.load()
      await store.correctTimes(clock.now(), new Map(pools.map(pool => [pool.id, longestLives(pool)])))
      for (const pool of configured) await makeGroups(engine, pool)
      await emptyMessages(engine)
      background(resumeMessages(engine, pools, await store.waitingMessages()))
      engine.later(resumeInterval, resumeLate)
      for (const pool of pools) await resumeImportJobs(engine, pool)
    },
    async settled() {
      while (working.size > 0) await Promise.all(working)
    },
    async clear() {
      if (store.clear === undefined) return
      await engine.settled()
      await store.clear()
      await ofApi.load()
      for (const pool of configured) await makeGroups(engine, pool)
    },
    async stop() {
      for (const cancel of cancels) cancel()
      cancels.clear()
      await engine.settled()
    },
  }
  /**
   * Resumes the delivery of messages after an outage of the mail server, the platform or the database, and reads what
   * other platforms have changed about pools.
   */
  async function resumeLate(): Promise<void> {
    engine.later(resumeInterval, resumeLate)
    // Another platform on the same database might have created, changed or removed pools.
    await ofApi.load()
    const until = clock.now() - resumeInterval
    const waiting = await store.waitingMessages()
    await resumeMessages(
      engine,
      pools,
      waiting.filter(({ created }) => created <= until),
    )
  }
  return engine
}

/** Milliseconds between two attempts to deliver the waiting messages, and between two reads of the pools. */
const resumeInterval = 30_000

const hour = 3_600_000

/** Deletes the contents of messages with expired codes, now and every hour. */
async function emptyMessages(engine: EngineContext): Promise<void> {
  engine.later(hour, () => emptyMessages(engine))
  await engine.store.emptyMessages(engine.clock.now())
}

const nowhere: Location = { region: '', account: '000000000000' }

/** Creates the configured groups, and updates the existing ones. */
async function makeGroups({ store, clock }: EngineContext, pool: PoolSettings): Promise<void> {
  const there = new Map((await store.groups(pool.id)).map(group => [group.name, group]))
  const now = clock.now()
  for (const [name, group] of Object.entries(pool.groups)) {
    const before = there.get(name)
    await store.change({
      pool: pool.id,
      now,
      group: {
        group: { ...group, name, created: before?.created ?? now, modified: now },
        isNew: before === undefined,
      },
    })
  }
}
