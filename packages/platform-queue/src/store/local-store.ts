import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import type { Random } from '@signalbox/platform-runtime'
import { arrivals } from './arrivals.ts'
import { fromQueues } from './from-queues.ts'
import type { MoveRow } from './move-rows.ts'
import { mover } from './mover.ts'
import type { MoveOptions } from './moves.ts'
import { openQueueFile } from './queue-file.ts'
import type { Tags } from './queue-rows.ts'
import { isFifoName, type QueueStore } from './queue-store.ts'
import { QueueStoreError } from './queue-store-error.ts'

/** Queues of this machine, with what only they can tell and do. */
export interface LocalStore extends QueueStore {
  /** @param tags of the queue, when it is made */
  readonly create: (
    queue: string,
    attributes?: Parameters<QueueStore['create']>[1],
    tags?: Tags,
  ) => Promise<void>
  readonly tags: (queue: string) => Promise<Tags>
  readonly setTags: (queue: string, tags: Tags) => Promise<void>
  /** The queues that give messages up to this one, in order of name. */
  readonly sourcesOf: (queue: string) => Promise<readonly string[]>
  /** Starts to move what a dead-letter queue holds, and goes on after a restart; answers the name of the task. */
  readonly startMove: (queue: string, options?: MoveOptions) => Promise<string>
  /** The latest tasks of a queue, the last one first. */
  readonly moves: (queue: string) => Promise<readonly MoveRow[]>
  /** Ends a task, and answers how many messages it has moved. */
  readonly cancelMove: (queue: string, task: string) => Promise<number>
}

/**
 * Queues in a database of SQLite, on the disk or in memory. Whoever waits is woken by what arrives. Time is never
 * earlier than when the database was changed last, even if the clock was set back while it was closed.
 */
export function localStore(database: DatabaseSync, clock: Clock, random: Random): LocalStore {
  const sound = <T>(work: () => T): T => fromQueues(database, work)
  const { announce, wait: waitFor, wakeAll, end } = arrivals(clock)
  let givenUp = 0
  const file = sound(() =>
    openQueueFile(database, random, queue => {
      givenUp++
      // It may be what somebody waits for there.
      announce(queue)
    }),
  )
  let closed = false
  const lag = sound(() => file.lag(clock.now()))
  // Whole milliseconds, whatever a clock counts: they are what is stored and told.
  const time = () => Math.floor(clock.now() + lag)

  const tasks = mover(
    clock,
    task => {
      const step = sound(() => file.stepMove(task, time()))
      for (const to of step.to) announce(to)
      return step
    },
    (task, why) => sound(() => file.failMove(task, why, time())),
  )
  for (const { task, perSecond } of sound(file.runningMoves)) tasks.run(task, perSecond !== null)

  return {
    create: async (queue, attributes, tags) => sound(() => file.create(queue, time(), attributes, tags)),
    async drop(queue) {
      sound(() => file.drop(queue, time()))
      wakeAll(queue)
    },
    names: async () => file.names(),
    attributes: async queue => file.attributes(queue),
    setAttributes: async (queue, attributes) => sound(() => file.setAttributes(queue, time(), attributes)),
    depth: async queue => sound(() => file.depth(queue, time())),

    async send(queue, messages) {
      const answers = sound(() => file.send(queue, messages, time()))
      announce(queue)
      return answers
    },

    async receive(queue, { wait, signal, ...options }) {
      const deadline = time() + wait
      for (let woken = false; ; ) {
        if (signal?.aborted || closed) {
          // It may have been for somebody else.
          if (woken) announce(queue)
          return []
        }
        const now = time()
        givenUp = 0
        const messages = sound(() => orNone(wait > 0, () => file.receive(queue, now, options)))
        if (messages.length > 0) {
          // There may be more than was wanted here.
          if (woken) announce(queue)
          return messages
        }
        if (givenUp > 0) {
          // There may be more behind them. Others have their turn before.
          await setImmediate()
          continue
        }
        if (now >= deadline) return []
        const next = sound(() => file.nextReady(queue, now))
        woken = await waitFor(queue, deadline - now, next === undefined ? undefined : next - now, signal)
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

    tags: async queue => file.tags(queue),
    setTags: async (queue, tags) => sound(() => file.setTags(queue, time(), tags)),
    sourcesOf: async queue => file.sourcesOf(queue),

    async startMove(queue, options = {}) {
      const task = sound(() => file.startMove(queue, options, time()))
      tasks.run(task, options.perSecond !== undefined)
      return task
    },
    moves: async queue => sound(() => file.moves(queue)),
    cancelMove: async (queue, task) => sound(() => file.cancelMove(queue, task, time())),

    async close() {
      if (closed) return
      closed = true
      end()
      tasks.end()
      file.close()
    },
  }
}

/** Who waits gets nothing as long as too much is in flight; who does not is told. */
function orNone<T>(waits: boolean, receive: () => readonly T[]): readonly T[] {
  try {
    return receive()
  } catch (error) {
    if (waits && error instanceof QueueStoreError && error.code === 'OVER_LIMIT') return []
    throw error
  }
}
