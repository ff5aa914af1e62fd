import { DatabaseSync } from 'node:sqlite'
import * as sdk from '@aws-sdk/client-sqs'
import { manualClock } from '@signalbox/core/testing'
import * as querySdk from 'client-sqs-query'
import { startFauxqs } from 'fauxqs'
import { systemRandom } from '../../../platform-runtime/src/random.ts'
import { queueListener } from '../api/listener.ts'
import { connect } from '../remote/connect.ts'
import { remoteStore } from '../remote/remote-store.ts'
import type { QueueStore } from '../store/queue-store.ts'
import { localStore } from '../store/sqlite/local-store.ts'

/** A store to be tested, and its time. */
export interface StoreUnderTest {
  readonly store: QueueStore
  /** Lets so many milliseconds pass for the store. */
  readonly pass: (ms: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** The queues of a box behind their listener, on a free port, with a clock that a test moves. */
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

/** A stock client, which speaks the JSON protocol. */
export function sqsClient(endpoint: string) {
  return new sdk.SQS({ ...clientSettings, endpoint })
}

/** A stock client of early 2023, which speaks the query protocol. Its types are those of today's, as far as they go. */
export function queryClient(endpoint: string): sdk.SQS {
  return new querySdk.SQS({ ...clientSettings, endpoint }) as unknown as sdk.SQS
}

/** Everything that is a queue store, and so must do what queue stores do. */
export const queueEngines: readonly {
  readonly name: string
  readonly make: () => Promise<StoreUnderTest>
}[] = [
  {
    name: 'the box itself',
    make: async () => {
      const clock = manualClock(1_700_000_000_000)
      const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
      return { store, pass: clock.advance, end: store.close }
    },
  },
  {
    name: 'another engine, here the listener of a box',
    make: () => listenerEngine(url => connect({ endpoint: url })),
  },
  {
    name: 'another engine, here the listener of a box in its query protocol',
    make: () => listenerEngine(async url => remoteStore(querySdk as unknown as typeof sdk, queryClient(url))),
  },
]

/** The same, and an engine that shares no code with ours; in FIFO queues its ways are its own. */
export const standardQueueEngines: typeof queueEngines = [
  ...queueEngines,
  {
    name: 'another engine, here one that is not ours',
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

/** The listener of a box behind a client that speaks one of its protocols. */
async function listenerEngine(client: (url: string) => Promise<QueueStore>): Promise<StoreUnderTest> {
  const { clock, url, end } = await listeningQueues()
  const store = await client(url)
  const pass = async (ms: number) => {
    // A long poll that was sent has to arrive before its time can pass.
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
