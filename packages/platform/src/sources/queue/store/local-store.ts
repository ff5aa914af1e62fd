import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import type { Random } from '../../../random.ts'
import { arrivals } from './arrivals.ts'
import { movedAtOnce } from './deliveries.ts'
import { fromQueues } from './from-queues.ts'
import { openQueueFile } from './queue-file.ts'
import { isFifoName, type QueueStore } from './queue-store.ts'

/** Queues of this machine, with what only they can tell. */
export interface LocalStore extends QueueStore {
  /** Sends what a dead-letter queue holds back to where it came from; answers how many went. */
  readonly redrive: (queue: string) => Promise<number>
}

/** Queues in a database of SQLite, on the disk or in memory. Whoever waits is woken by what arrives. */
export function localStore(database: DatabaseSync, clock: Clock, random: Random): LocalStore {
  const sound = <T>(work: () => T): T => fromQueues(database, work)
  const { announce, until, end } = arrivals(clock)
  let givenUp = 0
  const file = sound(() =>
    openQueueFile(database, random, queue => {
      givenUp++
      // It may be what somebody waits for there.
      announce(queue)
    }),
  )
  let closed = false
  // Whole milliseconds, whatever a clock counts: they are what is stored and told.
  const time = () => Math.floor(clock.now())

  return {
    create: async (queue, attributes) => sound(() => file.create(queue, attributes)),
    async drop(queue) {
      sound(() => file.drop(queue))
      announce(queue)
    },
    names: async () => file.names(),
    attributes: async queue => file.attributes(queue),
    setAttributes: async (queue, attributes) => sound(() => file.setAttributes(queue, attributes)),
    depth: async queue => sound(() => file.depth(queue, time())),

    async send(queue, messages) {
      const answers = sound(() => file.send(queue, messages, time()))
      announce(queue)
      return answers
    },

    async receive(queue, { max, bytes, wait, visibilityTimeout, signal }) {
      const deadline = time() + wait
      for (;;) {
        if (signal?.aborted || closed) return []
        const now = time()
        givenUp = 0
        const messages = sound(() => file.receive(queue, max, now, visibilityTimeout, bytes))
        if (messages.length > 0) return messages
        if (givenUp > 0) {
          // There may be more behind them. Others have their turn before.
          await setImmediate()
          continue
        }
        if (now >= deadline) return []
        await until(queue, Math.min(deadline, sound(() => file.nextReady(queue, now)) ?? deadline), signal)
      }
    },

    remove: async (queue, receipts) => {
      const answers = sound(() => file.remove(queue, receipts, time()))
      // What comes next in the group of a FIFO queue may be received now.
      if (isFifoName(queue)) announce(queue)
      return answers
    },

    async changeVisibility(queue, changes) {
      const answers = sound(() => file.changeVisibility(queue, changes, time()))
      announce(queue)
      return answers
    },

    purge: async queue => sound(() => file.purge(queue, time())),

    async redrive(queue) {
      let all = 0
      for (;;) {
        const moved = sound(() => file.redrive(queue, time()))
        for (const to of moved.keys()) announce(to)
        const count = [...moved.values()].reduce((sum, each) => sum + each, 0)
        all += count
        if (count < movedAtOnce) return all
        await setImmediate()
        if (closed) return all
      }
    },

    async close() {
      if (closed) return
      closed = true
      end()
      file.close()
    },
  }
}
