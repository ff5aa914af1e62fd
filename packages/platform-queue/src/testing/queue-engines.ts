import { DatabaseSync } from 'node:sqlite'
import * as sdk from '@aws-sdk/client-sqs'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import * as querySdk from 'client-sqs-query'
import { startFauxqs } from 'fauxqs'
import { queueListener } from '../api/listener.ts'
import { connect } from '../remote/connect.ts'
import { remoteStore } from '../remote/remote-store.ts'
import type { QueueStore } from '../store/queue-store.ts'
import { localStore } from '../store/sqlite/local-store.ts'

/** A store under test, and its clock. */
export interface StoreUnderTest {
  readonly store: QueueStore
  /** Advances the clock of the store. */
  readonly pass: (ms: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Returns a local store with a listener on a free port, and a clock that the test advances. */
export async function listeningQueues() {
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  const listener = queueListener({ host: '127.0.0.1', port: 0 }, store, systemRandom)
  const url = await listener.start()
  const end = async () => {
    await listener.stop()
    await store.close()
  }
  return { clock, store, url, end }
}

const clientSettings = {
  region: 'local',
  credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' },
  maxAttempts: 1,
}

/** Returns a current SQS client, which uses the JSON protocol. */
export function sqsClient(endpoint: string, settings: Pick<sdk.SQSClientConfig, 'credentials'> = {}) {
  return new sdk.SQS({ ...clientSettings, ...settings, endpoint })
}

/** Returns an SQS client from early 2023, which uses the query protocol. It has the types of the current client. */
export function queryClient(endpoint: string): sdk.SQS {
  return new querySdk.SQS({ ...clientSettings, endpoint }) as unknown as sdk.SQS
}

/** Returns a local store in memory. */
export async function inMemory() {
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  return { store, pass: clock.advance, end: store.close }
}

/** A queue store for the shared suites. */
export interface QueueEngine {
  readonly name: string
  readonly make: () => Promise<StoreUnderTest>
}

/** All queue stores of this package. Each of them passes the shared suites. */
export const queueEngines: readonly QueueEngine[] = [
  {
    name: 'the local store',
    make: inMemory,
  },
  {
    name: 'a remote store (JSON protocol)',
    make: () => listenerEngine(url => connect({ endpoint: url })),
  },
  {
    name: 'a remote store (query protocol)',
    make: () => listenerEngine(async url => remoteStore(querySdk as unknown as typeof sdk, queryClient(url))),
  },
]

/**
 * All stores of this package, and another engine that shares no code with them. Its FIFO queues behave differently, so
 * it is used for standard queues only.
 */
export const standardQueueEngines: readonly QueueEngine[] = [
  ...queueEngines,
  {
    name: 'a remote store (another engine)',
    make: async () => {
      const engine = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
      const store = await connect({ endpoint: `http://127.0.0.1:${engine.port}`, region: 'us-east-1' })
      return {
        store,
        pass: ms => new Promise(resolve => setTimeout(resolve, ms)),
        async end() {
          await store.close()
          await engine.stop()
        },
      }
    },
  },
]

/** Returns a store that accesses a new listener with the given client. */
async function listenerEngine(client: (url: string) => Promise<QueueStore>): Promise<StoreUnderTest> {
  const { clock, url, end } = await listeningQueues()
  const store = await client(url)
  const pass = async (ms: number) => {
    // The long poll must arrive before the clock advances.
    await new Promise(resolve => setTimeout(resolve, 10))
    await clock.advance(ms)
  }
  return {
    store,
    pass,
    async end() {
      await store.close()
      await end()
    },
  }
}
