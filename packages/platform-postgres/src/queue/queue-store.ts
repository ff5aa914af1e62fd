import type { Clock } from '@signalbox/core'
import {
  describeDeadLetters,
  moveTaskRunner,
  type OwnQueueStore,
  type QueueStoreError,
  receiveRefusal,
  refusal,
  type SentMessage,
} from '@signalbox/platform-queue/store'
import type { Random } from '@signalbox/platform-runtime'
import type { Database } from '../database.ts'
import type { Notifications } from '../notifications.ts'
import type { PeriodicWork } from '../periodic-work.ts'
import { available } from './available.ts'
import { deleteExpiredData } from './expired-data.ts'
import { deleteHeld, hideHeld } from './held-messages.ts'
import { queueMoves } from './moves.ts'
import { queueChanges } from './queue-changes.ts'
import { queueContents } from './queue-contents.ts'
import { cachedQueues } from './queue-rows.ts'
import { receiver } from './receive.ts'
import { sendMessages } from './send.ts'
import { waitingReceives } from './waiting-receives.ts'

/** The parts of the engine that the store uses. */
export interface QueueStoreParts {
  readonly database: Database
  readonly notifications: Notifications
  readonly periodic: PeriodicWork
  /** The clock that measures waiting times. It never decides what another platform may do. */
  readonly clock: Clock
  /** Returns the time that a test sets, or null to use the database clock. */
  readonly given: () => number | null
  readonly random: Random
  readonly notice: (text: string) => void
  /** Identifies this platform. */
  readonly platformId: string
}

/** Queues in PostgreSQL, which several platforms share. See docs/decisions/storage-and-postgresql.md#postgresql. */
export function queueStore(parts: QueueStoreParts): OwnQueueStore {
  const { database, notifications, periodic, clock, given, random, notice, platformId } = parts
  const { query } = database
  const queues = cachedQueues(query)
  const changes = queueChanges(database, given)
  const contents = queueContents(database, given)
  const { receive, nextReady } = receiver(query, given, random)
  const moves = queueMoves(database, given, random, platformId)
  const waiting = waitingReceives(clock)
  let closed = false

  const stopListening = notifications.listen(topic => {
    // An undefined topic means that notifications may have been lost.
    if (topic === undefined || topic === 'queues') queues.forget()
    else if (topic.startsWith('queue:')) waiting.wake(topic.slice('queue:'.length))
  })

  /** Records that a message arrived or became visible again. */
  const arrived = (queue: string) => {
    waiting.wake(queue)
    notifications.notify(`queue:${queue}`)
  }
  const changed = async (work: Promise<void>) => {
    await available(work)
    queues.forget()
    notifications.notify('queues')
  }

  const send: OwnQueueStore['send'] = async (name, messages) => {
    const queue = await available(queues.get(name))
    const refusals = messages.map(message => refusal(name, queue.attributes, message))
    const accepted = messages.filter((_, at) => refusals[at] === undefined)
    if (accepted.length === 0) return refusals as readonly QueueStoreError[]
    let stored: readonly SentMessage[]
    try {
      stored = await available(sendMessages(query, queue, accepted, given(), random))
    } catch (error) {
      if ((error as QueueStoreError).code !== 'QUEUE_NOT_FOUND') throw error
      // Another platform has deleted the queue, and may have created it again.
      queues.forget()
      await available(queues.get(name))
      return send(name, messages)
    }
    arrived(name)
    let at = 0
    return refusals.map(refused => refused ?? stored[at++]!)
  }

  const tasks = moveTaskRunner(
    clock,
    async task => {
      const step = await available(moves.step(task))
      step.to.forEach(arrived)
      return step
    },
    // When the database is available again, any platform may continue the task.
    async (task, why) => {
      if (why !== 'UNAVAILABLE') await moves.fail(task, why)
    },
  )
  const stopPeriodic = [
    periodic.each('moves', 5000, async () => {
      for (const { task, perSecond } of await moves.free()) tasks.run(task, perSecond !== null)
    }),
    periodic.onePlatform('expired queue data', 30_000, query => deleteExpiredData(query, given)),
  ]

  return {
    createQueue: (queue, attributes, tags) => changed(changes.create(queue, attributes, tags)),
    async deleteQueue(queue) {
      await changed(changes.remove(queue))
      waiting.wakeAll(queue)
    },
    queueNames: () => available((async () => [...(await queues.all()).keys()].sort())()),
    async attributes(queue) {
      const { attributes, createdAt, modifiedAt } = await available(queues.get(queue))
      return { ...attributes, createdAt, modifiedAt }
    },
    setAttributes: (queue, attributes) => changed(changes.setAttributes(queue, attributes)),
    tags: async queue => (await available(queues.get(queue))).tags,
    setTags: (queue, tags) => changed(changes.setTags(queue, tags)),
    async sourcesOf(queue) {
      await available(queues.get(queue))
      return [...(await queues.all()).values()]
        .filter(({ attributes }) => attributes.deadLetter?.queue === queue)
        .map(({ name }) => name)
    },

    depth: async queue => available(contents.depth(await available(queues.get(queue)))),

    send,

    async receive(name, { wait, signal, ...options }) {
      const refused = receiveRefusal(name, options)
      if (refused !== undefined) throw refused
      const take = async () => {
        const queue = await available(queues.get(name))
        const { messages, deadLetters } = await available(receive(queue, options)).catch(error => {
          // A waiting receive request gets nothing while too many messages are in flight.
          if (wait > 0 && error.code === 'OVER_LIMIT') return { messages: [], deadLetters: [] }
          throw error
        })
        if (deadLetters.length > 0) {
          notice(describeDeadLetters(deadLetters))
          arrived(deadLetters[0]!.target)
        }
        return messages
      }
      return waiting.receive(name, {
        ...{ wait, signal, take },
        nextReady: async elapsed => available(nextReady(await available(queues.get(name)), elapsed)),
      })
    },

    async deleteMessages(name, receiptHandles) {
      const queue = await available(queues.get(name))
      const answers = await available(deleteHeld(query, queue, receiptHandles, given()))
      // The next message of a FIFO group may be visible now.
      if (queue.fifo) arrived(name)
      return answers
    },

    async changeVisibility(name, list) {
      const queue = await available(queues.get(name))
      const { errors, isEarlier } = await available(hideHeld(query, queue, list, given()))
      if (isEarlier) arrived(name)
      return errors
    },

    purge: queue => changed(changes.purge(queue)),

    async startMove(queue, options = {}) {
      const task = await available(moves.start(queue, options))
      tasks.run(task, options.perSecond !== undefined)
      return task
    },
    moves: queue => available(moves.list(queue)),
    cancelMove: (queue, task) => available(moves.cancel(queue, task)),

    reports: () => available(contents.reports()),
    async peek(name, limit, after = 0) {
      const queue = (await available(queues.all())).get(name)
      return queue && available(contents.peek(queue, limit, after))
    },
    async discard(name, position) {
      const queue = await available(queues.get(name))
      const isDiscarded = await available(contents.discard(queue, position))
      // The next message of a FIFO group may be the first one now.
      if (isDiscarded && queue.fifo) arrived(name)
      return isDiscarded
    },

    async close() {
      if (closed) return
      closed = true
      stopListening()
      waiting.end()
      tasks.end()
      await Promise.all(stopPeriodic.map(stop => stop()))
      await database.idle()
    },
  }
}
