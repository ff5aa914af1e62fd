import type { Clock } from '@signalbox/core'
import {
  describeDeadLetters,
  longPolls,
  type MessageAttributes,
  moveTaskRunner,
  type OwnQueueStore,
  type PeekedMessage,
  type QueueReport,
  QueueStoreError,
  receiveRefusal,
  refusal,
} from '@signalbox/platform-queue/store'
import type { Random } from '@signalbox/platform-runtime'
import type { Database } from '../database.ts'
import { DatabaseUnavailableError } from '../database-error.ts'
import type { Notifications } from '../notifications.ts'
import type { PeriodicWork } from '../periodic-work.ts'
import { deleteHeld, hideHeld } from './held-messages.ts'
import { queueMoves } from './moves.ts'
import { queueChanges } from './queue-changes.ts'
import { cachedQueues, type QueueRow, readQueues } from './queue-rows.ts'
import { receiver } from './receive.ts'
import { sendMessages } from './send.ts'

/** Milliseconds after which a waiting receive looks again, because a notification may be lost. */
const pollInterval = 1000

/** The parts of the engine that the store uses. */
export interface QueueStoreParts {
  readonly database: Database
  readonly notifications: Notifications
  readonly periodic: PeriodicWork
  /** The clock that measures waiting times. It never decides what another platform may do. */
  readonly clock: Clock
  /** Returns the time of a test, or null to use the database clock. */
  readonly given: () => number | null
  readonly random: Random
  readonly notice: (text: string) => void
  /** Identifies this platform. */
  readonly platformId: string
}

/** Queues in PostgreSQL, which several platforms share. See docs/decisions/postgresql.md. */
export function queueStore(parts: QueueStoreParts): OwnQueueStore {
  const { database, notifications, periodic, clock, given, random, notice, platformId } = parts
  const { query } = database
  const queues = cachedQueues(query)
  const changes = queueChanges(database, given)
  const { receive } = receiver(query, given, random)
  const moves = queueMoves(database, given, random, platformId)
  const { wakeOne, wakeAll, wait: waitFor, end } = longPolls(clock)
  /** The number of arrivals in each queue, as far as this platform knows. */
  const arrivals = new Map<string, number>()
  let closed = false

  const wake = (queue: string) => {
    arrivals.set(queue, (arrivals.get(queue) ?? 0) + 1)
    wakeOne(queue)
  }

  const stopListening = notifications.listen(topic => {
    // An undefined topic means that notifications may have been lost.
    if (topic === undefined || topic === 'queues') queues.forget()
    else if (topic.startsWith('queue:')) wake(topic.slice('queue:'.length))
  })

  /** Records that a message arrived or became visible again. */
  const arrived = (queue: string) => {
    wake(queue)
    notifications.notify(`queue:${queue}`)
  }
  const changed = async (work: Promise<void>) => {
    await available(work)
    queues.forget()
    notifications.notify('queues')
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
    periodic.onePlatform('expired queue data', 30_000, async query => {
      await query('delete from deduplications where expires_at <= (select time_of($1))', [given()])
      await query('delete from receive_attempts where expires_at <= (select time_of($1))', [given()])
      for (const { id, attributes } of (await readQueues(query)).values())
        await query('select drop_expired($1, time_of($2), $3)', [id, given(), attributes.retentionPeriod])
      // A platform may have sent messages to a queue while another platform deleted that queue.
      await query('delete from messages where queue not in (select id from queues)')
    }),
  ]

  const nextReady = async ({ id, fifo }: QueueRow): Promise<number> => {
    const [row] = await query<{ due: number | null }>(
      fifo
        ? 'select min(ready_at) - t as due from time_of($2) t, groups where queue = $1 and ready_at > t group by t'
        : 'select min(visible_at) - t as due from time_of($2) t, messages where queue = $1 and visible_at > t group by t',
      [id, given()],
    )
    return Math.min(row?.due ?? pollInterval, pollInterval)
  }

  return {
    createQueue: (queue, attributes, tags) => changed(changes.create(queue, attributes, tags)),
    async deleteQueue(queue) {
      await changed(changes.remove(queue))
      wakeAll(queue)
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

    async depth(queue) {
      const { id, attributes } = await available(queues.get(queue))
      await available(
        query('select drop_expired($1, time_of($2), $3)', [id, given(), attributes.retentionPeriod]),
      )
      const [row] = await available(
        query<{ visible: number; in_flight: number; delayed: number }>(
          `select count(*) filter (where visible_at <= t) as visible,
             count(*) filter (where visible_at > t and receives > 0) as in_flight,
             count(*) filter (where visible_at > t and receives = 0) as delayed
           from time_of($2) t left join messages on queue = $1`,
          [id, given()],
        ),
      )
      return { visible: row!.visible, inFlight: row!.in_flight, delayed: row!.delayed }
    },

    async send(name, messages) {
      const queue = await available(queues.get(name))
      const refusals = messages.map(message => refusal(name, queue.attributes, message))
      const accepted = messages.filter((_, at) => refusals[at] === undefined)
      if (accepted.length === 0) return refusals as readonly QueueStoreError[]
      const stored = await available(sendMessages(query, queue, accepted, given(), random))
      arrived(name)
      let at = 0
      return refusals.map(refused => refused ?? stored[at++]!)
    },

    async receive(name, { wait, signal, ...options }) {
      const refused = receiveRefusal(name, options)
      if (refused !== undefined) throw refused
      const deadline = clock.now() + wait
      for (let woken = false; ; ) {
        if (signal?.aborted || closed) {
          // Another waiting receive may be able to take the message, so it is woken.
          if (woken) wakeOne(name)
          return []
        }
        const now = clock.now()
        const arrivalsBefore = arrivals.get(name)
        const queue = await available(queues.get(name))
        const { deadLetter } = queue.attributes
        const target = deadLetter && (await queues.all()).get(deadLetter.queue)
        const { messages, deadLetters } = await available(receive(queue, target, options)).catch(error => {
          // A receive that waits gets nothing while too many messages are in flight.
          if (wait > 0 && error.code === 'OVER_LIMIT') return { messages: [], deadLetters: [] }
          throw error
        })
        if (deadLetters.length > 0) {
          notice(describeDeadLetters(deadLetters))
          arrived(target!.name)
        }
        if (messages.length > 0) {
          // There may be more messages than this receive requested, so another receive is woken.
          if (woken) wakeOne(name)
          return messages
        }
        if (now >= deadline) return []
        const due = await available(nextReady(queue))
        if (signal?.aborted || closed) continue
        // The query may have taken long, so the remaining time is computed again.
        const left = deadline - clock.now()
        if (left <= 0) return []
        // A message that arrived between the query and this wait has woken no receive, so this receive looks
        // again.
        woken = arrivals.get(name) !== arrivalsBefore
        if (!woken) woken = await waitFor(name, left, due, signal)
      }
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
      const answers = await available(hideHeld(query, queue, list, given()))
      arrived(name)
      return answers
    },

    purge: queue => changed(changes.purge(queue)),

    async startMove(queue, options = {}) {
      const task = await available(moves.start(queue, options))
      tasks.run(task, options.perSecond !== undefined)
      return task
    },
    moves: queue => available(moves.list(queue)),
    cancelMove: (queue, task) => available(moves.cancel(queue, task)),

    async reports() {
      const rows = await available(
        query<QueueReport & { target: string | null; oldest: number | null }>(
          `select q.name, q.attributes::json #>> '{deadLetter,queue}' as target,
             count(m.id) filter (where m.visible_at <= t) as visible,
             count(m.id) filter (where m.visible_at > t and m.receives > 0) as "inFlight",
             count(m.id) filter (where m.visible_at > t and m.receives = 0) as delayed,
             t - min(m.sent_at) as oldest
           from time_of($1) t, queues q left join messages m on m.queue = q.id group by q.name, q.attributes, t order by q.name`,
          [given()],
        ),
      )
      return rows.map(({ name, target, visible, inFlight, delayed, oldest }) => {
        const dead = rows.find(each => each.name === target)
        return {
          name,
          visible,
          inFlight,
          delayed,
          oldestAge: oldest ?? undefined,
          deadLetters: dead && dead.visible + dead.inFlight + dead.delayed,
        }
      })
    },

    async peek(name, limit, after = 0) {
      const queue = (await available(queues.all())).get(name)
      if (queue === undefined) return undefined
      const rows = await available(
        query<PeekedRow>(
          `select id as position, message_id as "messageId", body, sent_at as "sentAt",
             receives + received_before as "receiveCount", attributes, visible_at as "visibleAt",
             receipt is not null as "isReceived", group_id, deduplication_id, dead_letter_source
           from messages where queue = $1 and id > $2 order by id limit $3`,
          [queue.id, after, limit],
        ),
      )
      return rows.map(({ attributes, group_id, deduplication_id, dead_letter_source, ...row }) => ({
        ...row,
        attributes: JSON.parse(attributes ?? '{}') as MessageAttributes,
        ...(group_id !== null && { group: group_id }),
        ...(deduplication_id !== null && { deduplicationId: deduplication_id }),
        ...(dead_letter_source !== null && { deadLetterSource: dead_letter_source }),
      }))
    },

    async discard(name, position) {
      const queue = await available(queues.get(name))
      const isDiscarded = await available(
        database.transaction(async query => {
          await query('select lock_groups_of($1, $2)', [queue.id, [position]])
          const [row] = await query<{ fifo_group: string | null; t: number }>(
            `delete from messages m using time_of($3) t
             where m.queue = $1 and m.id = $2 and m.visible_at <= t returning m.fifo_group, t`,
            [queue.id, position, given()],
          )
          if (row?.fifo_group)
            await query('select refresh_group($1, $2, $3)', [queue.id, row.fifo_group, row.t])
          return row !== undefined
        }),
      )
      // The next message of a FIFO group may be the first one now.
      if (isDiscarded && queue.fifo) arrived(name)
      return isDiscarded
    },

    async close() {
      if (closed) return
      closed = true
      stopListening()
      end()
      tasks.end()
      await Promise.all(stopPeriodic.map(stop => stop()))
      await database.idle()
    },
  }
}

interface PeekedRow
  extends Omit<PeekedMessage, 'attributes' | 'group' | 'deduplicationId' | 'deadLetterSource'> {
  readonly attributes: string | null
  readonly group_id: string | null
  readonly deduplication_id: string | null
  readonly dead_letter_source: string | null
}

/** Turns a DatabaseUnavailableError into the error that the queue-store interface defines. */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    throw new QueueStoreError('UNAVAILABLE', error.message, { cause: error })
  }
}
