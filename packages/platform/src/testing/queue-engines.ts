import { DatabaseSync } from 'node:sqlite'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../random.ts'
import { localStore } from '../sources/queue/store/local-store.ts'
import type { QueueStore } from '../sources/queue/store/queue-store.ts'

/** A store to be tested, and its time. */
export interface StoreUnderTest {
  readonly store: QueueStore
  /** Lets so many milliseconds pass for the store. */
  readonly pass: (ms: number) => Promise<void>
  readonly end: () => Promise<void>
}

/** Everything that is a queue store, and so must do what queue stores do. */
export const queueEngines: readonly {
  readonly name: string
  /** Whether it has FIFO queues. */
  readonly fifo: boolean
  readonly make: () => Promise<StoreUnderTest>
}[] = [
  {
    name: 'the box itself',
    fifo: true,
    make: async () => {
      const clock = manualClock(1_700_000_000_000)
      const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
      return { store, pass: clock.advance, end: store.close }
    },
  },
]
