import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { deduplicationInterval } from '@signalbox/queue/contract'
import { type Random, randomHex, randomUuid } from '../../../random.ts'
import { deduplicationRows } from './deduplication-rows.ts'
import { groupRows } from './group-rows.ts'
import { layOut } from './layout.ts'
import { type MessageRow, messageRows, sequenceNumber } from './message-rows.ts'
import { refusal } from './message-rules.ts'
import { attributeBounds, type QueueAttributes } from './queue-attributes.ts'
import { type QueueRow, queueRows } from './queue-rows.ts'
import type { Depth, NewMessage, ReceivedMessage, Sent } from './queue-store.ts'
import { QueueStoreError } from './queue-store-error.ts'
import { readReceipt } from './receipt.ts'
import { transactions } from './transactions.ts'

/** Milliseconds between two purges of a queue. */
const purgeInterval = 60_000

/**
 * Queues in a database. Every call is one transaction: when it returns, all of it is stored, and when it throws,
 * nothing is. Times are milliseconds since the epoch, and say what time it is.
 */
export function openQueueFile(database: DatabaseSync, random: Random) {
  layOut(database)
  const queues = queueRows(database)
  const messages = messageRows(database)
  const groups = groupRows(database)
  const deduplications = deduplicationRows(database)
  const { write } = transactions(database)

  const dropExpired = (queue: QueueRow, now: number) => {
    const until = now - queue.attributes.retention
    const oldest = messages.oldest(queue)
    if (oldest === undefined || oldest > until) return
    write(() => {
      const lanes = messages.lanesOfOld(queue, until)
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

  const move = (
    row: Pick<MessageRow, 'id' | 'lane'>,
    to: QueueRow,
    now: number,
    moved: Parameters<typeof messages.copy>[3],
  ) => {
    messages.copy(row.id, to, now, moved)
    messages.remove(row.id)
    if (row.lane !== null) groups.extend(to, row.lane, now)
  }

  /** Takes what may be received out of rows in order; what was received too often goes to the dead-letter queue. */
  const take = (queue: QueueRow, rows: readonly MessageRow[], now: number, until: number) => {
    const taken: ReceivedMessage[] = []
    const { deadLetter } = queue.attributes
    const target = deadLetter && queues.named(deadLetter.queue)
    for (const row of rows) {
      if (row.visible_at > now) break
      if (target && row.receives >= deadLetter.maxReceiveCount) {
        const received = row.received_before + row.receives
        move(row, target, now, { received, firstReceivedAt: row.first_received_at, source: queue.name })
      } else taken.push(messages.receive(queue, row, randomHex(random, 12), now, until))
    }
    return taken
  }

  const takeInOrder = (queue: QueueRow, max: number, now: number, until: number) => {
    const taken: ReceivedMessage[] = []
    const seen = new Set<string>()
    for (const lane of groups.ready(queue, now, max)) {
      for (;;) {
        const rows = messages.inLane(queue, lane, max - taken.length)
        const some = take(queue, rows, now, until)
        taken.push(...some)
        // Nothing but dead letters was there: what comes after them may be received.
        if (some.length > 0 || rows.length === 0 || rows[0]!.visible_at > now) break
      }
      seen.add(lane)
      if (taken.length === max) break
    }
    for (const lane of seen) groups.refresh(queue, lane, now)
    return taken
  }

  const takeAny = (queue: QueueRow, max: number, now: number, until: number) => {
    const taken: ReceivedMessage[] = []
    while (taken.length < max) {
      const rows = messages.visible(queue, now, max - taken.length)
      if (rows.length === 0) break
      const some = take(queue, rows, now, until)
      taken.push(...some)
      // With no time to hide, the same messages would come again.
      if (until <= now) break
    }
    return taken
  }

  /** The row that a receipt names, when it is the last one of a message that is still there. */
  const claimed = (queue: QueueRow, receipt: string) => {
    const named = readReceipt(receipt)
    if (named === undefined || named.queue !== queue.id)
      return new QueueStoreError('RECEIPT_INVALID', 'The input receipt handle is invalid.')
    const claim = messages.claim(queue, named.message)
    return { id: named.message, claim, last: claim !== undefined && claim.receipt === named.nonce }
  }

  const removeOne = (queue: QueueRow, receipt: string, now: number, lanes: Set<string>) => {
    const found = claimed(queue, receipt)
    if (found instanceof QueueStoreError) return found
    const { id, claim, last } = found
    if (claim === undefined) return undefined
    if (queue.fifo && (!last || claim.visible_at <= now))
      return new QueueStoreError(
        'RECEIPT_EXPIRED',
        `Value ${receipt} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
      )
    if (!last) return undefined
    messages.remove(id)
    if (claim.lane !== null) lanes.add(claim.lane)
    return undefined
  }

  const hideOne = (queue: QueueRow, receipt: string, timeout: number, now: number, lanes: Set<string>) => {
    const [least, most] = attributeBounds.visibilityTimeout
    if (!Number.isInteger(timeout) || timeout < least || timeout > most)
      return new QueueStoreError(
        'INVALID_PARAMETER',
        'Value for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200.',
      )
    const found = claimed(queue, receipt)
    if (found instanceof QueueStoreError) return found
    const { id, claim, last } = found
    if (claim === undefined || !last)
      return new QueueStoreError(
        'INVALID_PARAMETER',
        `Value ${receipt} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
      )
    if (claim.visible_at <= now) return new QueueStoreError('NOT_IN_FLIGHT', 'The message is not in flight.')
    messages.hide(id, now + timeout)
    if (claim.lane !== null) lanes.add(claim.lane)
    return undefined
  }

  const withLanes = <T>(queue: QueueRow, now: number, work: (lanes: Set<string>) => T): T =>
    write(() => {
      const lanes = new Set<string>()
      const result = work(lanes)
      for (const lane of lanes) groups.refresh(queue, lane, now)
      return result
    })

  return {
    names: queues.names,
    attributes: (name: string): QueueAttributes => queues.get(name).attributes,
    create: (name: string, attributes: Partial<QueueAttributes> = {}): void =>
      write(() => queues.create(name, attributes)),
    setAttributes: (name: string, attributes: Partial<QueueAttributes>): void =>
      write(() => queues.setAttributes(queues.get(name), attributes)),

    drop(name: string): void {
      const queue = queues.get(name)
      write(() => {
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
      write(() => {
        messages.removeAll(queue)
        groups.removeAll(queue)
        queues.markPurged(queue, now)
      })
    },

    /** Each message is stored or refused by itself. */
    send(name: string, list: readonly NewMessage[], now: number): readonly (Sent | QueueStoreError)[] {
      const queue = queues.get(name)
      const refusals = list.map(message => refusal(name, queue.attributes, message))
      if (refusals.every(refused => refused !== undefined)) return refusals
      return write(() => {
        if (queue.fifo) deduplications.removeExpired(now)
        return list.map((message, at) => refusals[at] ?? add(queue, message, now))
      })
    },

    receive(name: string, max: number, now: number, visibilityTimeout?: number): readonly ReceivedMessage[] {
      const queue = queues.get(name)
      dropExpired(queue, now)
      const any = queue.fifo ? groups.ready(queue, now, 1) : messages.visible(queue, now, 1)
      if (any.length === 0) return []
      const until = now + (visibilityTimeout ?? queue.attributes.visibilityTimeout)
      return write(() => (queue.fifo ? takeInOrder : takeAny)(queue, max, now, until))
    },

    /** When something may be received next, if nothing else happens. */
    nextReady(name: string, now: number): number | undefined {
      const queue = queues.get(name)
      return queue.fifo ? groups.nextReady(queue, now) : messages.nextVisible(queue, now)
    },

    remove(name: string, receipts: readonly string[], now: number): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      return withLanes(queue, now, lanes => receipts.map(receipt => removeOne(queue, receipt, now, lanes)))
    },

    changeVisibility(
      name: string,
      changes: readonly { readonly receipt: string; readonly timeout: number }[],
      now: number,
    ): readonly (QueueStoreError | undefined)[] {
      const queue = queues.get(name)
      return withLanes(queue, now, lanes =>
        changes.map(({ receipt, timeout }) => hideOne(queue, receipt, timeout, now, lanes)),
      )
    },

    depth(name: string, now: number): Depth {
      const queue = queues.get(name)
      dropExpired(queue, now)
      return messages.depth(queue, now)
    },

    /** When the oldest message was sent. */
    oldest: (name: string): number | undefined => messages.oldest(queues.get(name)),

    /**
     * Sends messages that were given up back where they came from, as if never received; those that are being
     * worked on stay. Answers the queues that got some, and how many.
     */
    redrive(name: string, now: number): ReadonlyMap<string, number> {
      const queue = queues.get(name)
      const moved = new Map<string, number>()
      return withLanes(queue, now, lanes => {
        for (const row of messages.given(queue, now)) {
          const to = queues.named(row.dead_letter_source)
          if (to === undefined) continue
          move(row, to, now, { received: 0, firstReceivedAt: null, source: null })
          if (row.lane !== null) lanes.add(row.lane)
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
