import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { deduplicationInterval } from '@signalbox/queue/contract'
import { roomOf } from '../../../data-directory/room.ts'
import { transactions } from '../../../data-directory/transactions.ts'
import { type Random, randomUuid } from '../../../random.ts'
import { claims } from './claims.ts'
import { deduplicationRows } from './deduplication-rows.ts'
import { deliveries, movedAtOnce } from './deliveries.ts'
import { groupRows } from './group-rows.ts'
import { layOut } from './layout.ts'
import { messageRows, sequenceNumber } from './message-rows.ts'
import { refusal } from './message-rules.ts'
import type { QueueAttributes } from './queue-attributes.ts'
import { type QueueRow, queueRows } from './queue-rows.ts'
import type { Depth, NewMessage, ReceivedMessage, Sent } from './queue-store.ts'
import { QueueStoreError, storageFull } from './queue-store-error.ts'

/** Milliseconds between two purges of a queue. */
const purgeInterval = 60_000

/**
 * Queues in a database. Every call is one transaction: when it returns, all of it is stored, and when it throws,
 * nothing is. Times are milliseconds since the epoch, and say what time it is.
 * @param onGivenUp is told of a dead-letter queue for each message that it gets, before that is stored
 */
export function openQueueFile(
  database: DatabaseSync,
  random: Random,
  onGivenUp: (queue: string) => void = () => {},
) {
  layOut(database)
  const queues = queueRows(database)
  const messages = messageRows(database)
  const groups = groupRows(database)
  const deduplications = deduplicationRows(database)
  const { move, takeInOrder, takeAny } = deliveries(queues, messages, groups, random, onGivenUp)
  const claim = claims(messages)
  const write = transactions(database, storageFull)
  const hasRoom = roomOf(database)

  const changeQueues = (work: () => void) => {
    try {
      write(work)
    } catch (error) {
      queues.load()
      throw error
    }
  }

  const dropExpired = (queue: QueueRow, now: number) => {
    const until = now - queue.attributes.retention
    const oldest = messages.oldest(queue)
    if (oldest === undefined || oldest > until) return
    write(() => {
      const lanes = queue.fifo ? messages.lanesOfOld(queue, until) : []
      messages.removeOld(queue, until)
      for (const lane of lanes) groups.refresh(queue, lane, now)
    })
  }

  const add = (queue: QueueRow, message: NewMessage, now: number): Sent => {
    const token = tokenOf(queue, message)
    const known = token && deduplications.find(queue, token, now)
    if (known) return { messageId: known.messageId, sequenceNumber: sequenceNumber(known.message) }
    const { delay = queue.attributes.delay, group, sender = 'anonymous', attributes = {} } = message
    const lane = queue.fifo ? group! : null
    const visibleAt = now + (queue.fifo ? queue.attributes.delay : delay)
    const messageId = randomUuid(random)
    const id = messages.insert(
      queue.id,
      visibleAt,
      now,
      lane,
      group ?? null,
      queue.fifo ? (message.deduplicationId ?? digest(message.body)) : null,
      messageId,
      sender,
      message.traceHeader ?? null,
      Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes),
      message.body,
    )
    if (lane !== null) groups.extend(queue, lane, visibleAt)
    if (token) deduplications.add(queue, token, now + deduplicationInterval, id, messageId)
    return { messageId, sequenceNumber: queue.fifo ? sequenceNumber(id) : undefined }
  }

  const withLanes = <T>(queue: QueueRow, now: number, work: (touched: (lane: string) => void) => T): T =>
    write(() => {
      const lanes = new Set<string>()
      const result = work(lane => void lanes.add(lane))
      for (const lane of lanes) groups.refresh(queue, lane, now)
      return result
    })

  return {
    names: queues.names,
    attributes: (name: string): QueueAttributes => queues.get(name).attributes,
    create: (name: string, attributes: Partial<QueueAttributes> = {}): void =>
      changeQueues(() => queues.create(name, attributes)),
    setAttributes: (name: string, attributes: Partial<QueueAttributes>): void =>
      changeQueues(() => queues.setAttributes(queues.get(name), attributes)),

    drop(name: string): void {
      const queue = queues.get(name)
      changeQueues(() => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        deduplications.removeAll(queue)
        queues.remove(queue)
      })
    },

    purge(name: string, now: number): void {
      const queue = queues.get(name)
      if (queue.purgedAt !== null && now < queue.purgedAt + purgeInterval)
        throw new QueueStoreError(
          'PURGE_IN_PROGRESS',
          `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
        )
      changeQueues(() => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        // A client that purges between two tests sends the same ids again.
        deduplications.removeAll(queue)
        queues.markPurged(queue, now)
      })
    },

    /** Each message is stored or refused by itself. */
    send(name: string, list: readonly NewMessage[], now: number): readonly (Sent | QueueStoreError)[] {
      const queue = queues.get(name)
      const refusals = list.map(message => refusal(name, queue.attributes, message))
      if (refusals.every(refused => refused !== undefined)) return refusals
      if (!hasRoom()) throw storageFull()
      return write(() => {
        if (queue.fifo) deduplications.removeExpired(now)
        return list.map((message, at) => refusals[at] ?? add(queue, message, now))
      })
    },

    receive(
      name: string,
      max: number,
      now: number,
      visibilityTimeout?: number,
      bytes = Number.POSITIVE_INFINITY,
    ): readonly ReceivedMessage[] {
      const queue = queues.get(name)
      dropExpired(queue, now)
      const any = queue.fifo ? groups.ready(queue, now, 1).length > 0 : messages.anyVisible(queue, now)
      if (!any) return []
      const until = now + (visibilityTimeout ?? queue.attributes.visibilityTimeout)
      return write(() => (queue.fifo ? takeInOrder : takeAny)(queue, { max, bytes }, now, until))
    },

    /** When something may be received next, if nothing else happens. */
    nextReady(name: string, now: number): number | undefined {
      const queue = queues.get(name)
      return queue.fifo ? groups.nextReady(queue, now) : messages.nextVisible(queue, now)
    },

    remove(name: string, receipts: readonly string[], now: number): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      return withLanes(queue, now, touched =>
        receipts.map(receipt => claim.remove(queue, receipt, now, touched)),
      )
    },

    changeVisibility(
      name: string,
      changes: readonly { readonly receipt: string; readonly timeout: number }[],
      now: number,
    ): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      return withLanes(queue, now, touched =>
        changes.map(({ receipt, timeout }) => claim.hide(queue, receipt, timeout, now, touched)),
      )
    },

    depth(name: string, now: number): Depth {
      const queue = queues.get(name)
      dropExpired(queue, now)
      return messages.depth(queue, now)
    },

    /**
     * Sends messages that were given up back where they came from, `movedAtOnce` of them at most, as if sent just now:
     * otherwise they might be too old there. Those that are being worked on stay, and the rest of their group with
     * them. Answers the queues that got some, and how many.
     */
    redrive(name: string, now: number): ReadonlyMap<string, number> {
      const queue = queues.get(name)
      dropExpired(queue, now)
      const moved = new Map<string, number>()
      return withLanes(queue, now, touched => {
        for (const row of messages.given(queue, now, movedAtOnce)) {
          const to = queues.get(row.dead_letter_source)
          move(row, to, now, { sentAt: now, received: 0, firstReceivedAt: null, source: null })
          if (row.lane !== null) touched(row.lane)
          moved.set(to.name, (moved.get(to.name) ?? 0) + 1)
        }
        return moved
      })
    },

    close: (): void => database.close(),
  }
}

export type QueueFile = ReturnType<typeof openQueueFile>

function tokenOf(queue: QueueRow, { deduplicationId, body, group }: NewMessage): string | undefined {
  if (!queue.fifo) return undefined
  const id = deduplicationId ?? digest(body)
  return queue.attributes.deduplicationScope === 'messageGroup' ? `${group} ${id}` : id
}

function digest(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}
