import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@signalbox/core'
import type { Random } from '@signalbox/platform-runtime'
import { durability } from '@signalbox/platform-runtime/storage'
import { type DeadLetterMove, describeDeadLetters } from '../dead-letter-move.ts'
import { longPolls } from '../long-polls.ts'
import { moveTaskRunner } from '../move-task-runner.ts'
import type { OwnQueueStore } from '../own-queue-store.ts'
import { isFifoName } from '../queue-name.ts'
import type { ReceivedMessage } from '../queue-store.ts'
import { QueueStoreError } from '../queue-store-error.ts'
import { queueDamage } from './layout.ts'
import { peekMessages } from './peek-messages.ts'
import { openQueueFile } from './queue-file.ts'
import { queueReports } from './queue-report.ts'

/**
 * Keeps queues in an SQLite database, on disk or in memory. If the clock was set back while the database was closed,
 * its times are moved back, too.
 * @param notice reports messages that moved to a dead-letter queue
 * @param durable gets the database, and returns a function that waits until its commits are on the disk. The store
 * acknowledges no change before that.
 */
export function localStore(
  database: DatabaseSync,
  clock: Clock,
  random: Random,
  notice: (text: string) => void = () => {},
  durable = durability,
): OwnQueueStore {
  return queueDamage.open(database, () => openStore(database, clock, random, notice, durable))
}

function openStore(
  database: DatabaseSync,
  clock: Clock,
  random: Random,
  notice: (text: string) => void,
  durable: typeof durability,
): OwnQueueStore {
  const { wakeOne, wait: waitFor, wakeAll, end } = longPolls(clock)
  let deadLetters: DeadLetterMove[] = []
  const file = openQueueFile(database, random, letter => {
    deadLetters.push(letter)
    // A receive request might be waiting for messages of the dead-letter queue.
    wakeOne(letter.target)
  })
  const onDisk = durable(database)
  /** Runs a function, and waits until its changes are on the disk. */
  const change = async <T>(work: () => T): Promise<T> => {
    const result = work()
    await onDisk()
    return result
  }
  let closed = false
  // The store keeps whole milliseconds, but the clock can return fractions.
  const time = () => Math.floor(clock.now())
  file.correctTimes(time())

  /** Tells the times of messages by the wall clock, because receivers compare them with their own clocks. */
  const inWallTime = (messages: readonly ReceivedMessage[]): readonly ReceivedMessage[] => {
    const jumped = clock.wall(0)
    if (jumped === 0) return messages
    return messages.map(message => ({
      ...message,
      sentAt: message.sentAt + jumped,
      firstReceivedAt: message.firstReceivedAt + jumped,
    }))
  }

  const tasks = moveTaskRunner(
    clock,
    task => {
      const step = queueDamage.run(database, () => file.stepMove(task, time()))
      for (const to of step.to) wakeOne(to)
      return step
    },
    (task, why) => queueDamage.run(database, () => file.failMove(task, why, time())),
  )
  for (const { task, perSecond } of file.runningMoves()) tasks.run(task, perSecond !== null)

  return {
    createQueue: (queue, attributes, tags) => change(() => file.createQueue(queue, time(), attributes, tags)),
    deleteQueue: queue =>
      change(() => {
        file.deleteQueue(queue, time())
        wakeAll(queue)
      }),
    queueNames: async () => file.queueNames(),
    async attributes(queue) {
      const { createdAt, modifiedAt, ...rest } = file.attributes(queue)
      return { ...rest, createdAt: clock.wall(createdAt), modifiedAt: clock.wall(modifiedAt) }
    },
    setAttributes: (queue, attributes) => change(() => file.setAttributes(queue, time(), attributes)),
    depth: async queue => file.depth(queue, time()),

    send: (queue, messages) =>
      change(() => {
        const answers = file.send(queue, messages, time())
        wakeOne(queue)
        return answers
      }),

    async receive(queue, { wait, signal, ...options }) {
      const deadline = time() + wait
      for (let woken = false; ; ) {
        if (signal?.aborted || closed) {
          // The message might have been meant for another waiting receive request, so another one is woken.
          if (woken) wakeOne(queue)
          return []
        }
        const now = time()
        deadLetters = []
        const messages = emptyWhenOverLimit(wait > 0, () => file.receive(queue, now, options))
        if (deadLetters.length > 0) notice(describeDeadLetters(deadLetters))
        if (messages.length > 0) {
          // There might be more messages than this receive request asked for, so another receive request is woken.
          if (woken) wakeOne(queue)
          await onDisk()
          return inWallTime(messages)
        }
        if (deadLetters.length > 0) {
          // There might be more messages after the dead letters. Other requests are served first.
          await setImmediate()
          continue
        }
        if (now >= deadline) return []
        const next = file.nextReady(queue, now)
        woken = await waitFor(queue, deadline - now, next === undefined ? undefined : next - now, signal)
      }
    },

    deleteMessages: (queue, receiptHandles) =>
      change(() => {
        const answers = file.deleteMessages(queue, receiptHandles, time())
        // The next message of a FIFO group might be visible now.
        if (isFifoName(queue)) wakeOne(queue)
        return answers
      }),

    changeVisibility: (queue, changes) =>
      change(() => {
        const answers = file.changeVisibility(queue, changes, time())
        wakeOne(queue)
        return answers
      }),

    purge: queue => change(() => file.purge(queue, time())),

    tags: async queue => file.tags(queue),
    setTags: (queue, tags) => change(() => file.setTags(queue, time(), tags)),
    sourcesOf: async queue => file.sourcesOf(queue),

    startMove: (queue, options = {}) =>
      change(() => {
        const task = file.startMove(queue, options, time())
        tasks.run(task, options.perSecond !== undefined)
        return task
      }),
    moves: async queue => file.moves(queue),
    cancelMove: (queue, task) => change(() => file.cancelMove(queue, task, time())),

    reports: async () => queueReports(database, time()),
    peek: async (queue, limit, after) => peekMessages(database, queue, limit, after),
    discard: (queue, position) =>
      change(() => {
        const isDiscarded = file.discard(queue, position, time())
        // The next message of a FIFO group might now be the first message of the group.
        if (isFifoName(queue)) wakeOne(queue)
        return isDiscarded
      }),

    clear: () => change(() => file.clear(time())),

    async close() {
      if (closed) return
      closed = true
      end()
      tasks.end()
      file.close()
    },
  }
}

/** While too many messages are in flight, lets a receive request that waits return no messages instead of an error. */
function emptyWhenOverLimit<T>(waits: boolean, receive: () => readonly T[]): readonly T[] {
  try {
    return receive()
  } catch (error) {
    if (waits && error instanceof QueueStoreError && error.code === 'OVER_LIMIT') return []
    throw error
  }
}
