import {
  type DeadLetterMove,
  inFlightLimits,
  type MessageAttributes,
  overLimit,
  type ReceivedMessage,
  type ReceiveOptions,
  sequenceNumber,
  writeReceiptHandle,
} from '@signalbox/platform-queue/store'
import { type Random, randomHex } from '@signalbox/platform-runtime'
import type { Query } from '../database.ts'
import type { QueueRow } from './queue-rows.ts'

/** Milliseconds for which a receive request attempt id is remembered, as on AWS. */
const attemptInterval = 5 * 60_000

/**
 * The parameters of both receive functions. Finds the dead-letter queue by its name, because another platform may have
 * deleted it, or created it again.
 */
const parameters = '$1, $2, $3, $4, $5, $6, $7, $8, (select id from queues where name = $9), $10, $11, $12'

/** A byte limit that no receive request reaches. It replaces Infinity, which the database does not accept. */
const anyBytes = 2 ** 50

/** Milliseconds after which a waiting receive request looks for messages again, because a notification may be lost. */
const pollInterval = 1000

/** The number of dead letters after which a receive request returns, so that it does not take too long. */
const movedAtOnce = 1000

interface Row {
  readonly dead: boolean
  readonly id: number
  readonly receipt: string
  readonly message_id: string
  readonly body: string
  readonly attributes: string | null
  readonly receive_count: number
  readonly sent_at: number
  readonly first_received_at: number
  readonly sender: string
  readonly trace_header: string | null
  readonly group_id: string | null
  readonly deduplication_id: string | null
  readonly dead_letter_source: string | null
}

export interface Received {
  readonly messages: readonly ReceivedMessage[]
  readonly deadLetters: readonly DeadLetterMove[]
}

/**
 * Receives from queues, each batch with one statement.
 * @param given returns the time that a test sets, or null to use the database clock
 */
export function receiver(query: Query, given: () => number | null, random: Random) {
  const flight = inFlightBound(query, given)

  const receiveOnce = (
    queue: QueueRow,
    most: number,
    { bytes = anyBytes, visibilityTimeout, attemptId }: Omit<ReceiveOptions, 'max' | 'wait'>,
    seen: readonly number[],
    used: number,
  ) => {
    const { deadLetter, retentionPeriod, visibilityTimeout: usual } = queue.attributes
    const values = [
      queue.id,
      given(),
      retentionPeriod,
      most,
      Math.min(bytes, anyBytes),
      visibilityTimeout ?? usual,
      randomHex(random, 12),
      queue.name,
      deadLetter?.queue ?? null,
      deadLetter?.maxReceiveCount ?? null,
    ]
    return queue.fifo
      ? query<Row>(`select * from receive_in_order(${parameters})`, [
          ...values,
          attemptId ?? null,
          attemptInterval,
        ])
      : query<Row>(`select * from receive_any(${parameters})`, [...values, seen, used])
  }

  return {
    /** @throws QueueStoreError when a standard queue has too many messages in flight */
    async receive(queue: QueueRow, options: Omit<ReceiveOptions, 'wait'>): Promise<Received> {
      const most = await flight.available(queue, options.max)
      if (most === 0) {
        if (!queue.fifo && (await anyVisible(query, queue, given()))) throw overLimit(queue.name)
        return { messages: [], deadLetters: [] }
      }
      const messages: ReceivedMessage[] = []
      const deadLetters: DeadLetterMove[] = []
      const seen: number[] = []
      let used = 0
      for (;;) {
        const rows = await receiveOnce(queue, most - messages.length, options, seen, used)
        for (const row of rows) {
          seen.push(row.id)
          if (row.dead)
            deadLetters.push({
              queue: queue.name,
              target: queue.attributes.deadLetter!.queue,
              messageId: row.message_id,
              receives: row.receive_count,
            })
          else {
            messages.push(received(queue, row))
            used += Buffer.byteLength(row.body) + Buffer.byteLength(row.attributes ?? '')
          }
        }
        // In a FIFO queue, the SQL function already continues after dead letters.
        const isComplete = !rows.some(({ dead }) => dead) || (queue.fifo && messages.length > 0)
        if (isComplete || messages.length === most || deadLetters.length >= movedAtOnce) break
      }
      flight.add(queue, messages.length)
      return { messages, deadLetters }
    },

    /**
     * Returns the number of milliseconds after which a waiting receive request must look for messages again.
     * @param elapsed milliseconds since the last look began. A message that became ready since then was not seen.
     */
    async nextReady({ id, fifo }: QueueRow, elapsed: number): Promise<number> {
      const [table, time] = fifo ? ['groups', 'ready_at'] : ['messages', 'visible_at']
      // The server reads one row of the index. With min(), or with a join to the time, it would read all that wait.
      const [row] = await query<{ due: number }>(
        `with n as materialized (select time_of($2) as t)
         select ${time} - (select t from n) as due from ${table}
         where queue = $1 and ${time} > (select t from n) - $3::bigint order by ${time} limit 1`,
        [id, given(), elapsed],
      )
      return Math.max(0, Math.min(row?.due ?? pollInterval, pollInterval))
    },
  }
}

async function anyVisible(query: Query, { id }: QueueRow, given: number | null): Promise<boolean> {
  const rows = await query(
    'select from messages where queue = $1 and visible_at <= (select time_of($2)) limit 1',
    [id, given],
  )
  return rows.length > 0
}

function received(queue: QueueRow, row: Row): ReceivedMessage {
  return {
    messageId: row.message_id,
    receiptHandle: writeReceiptHandle(queue.id, row.id, row.receipt),
    body: row.body,
    attributes: row.attributes === null ? {} : (JSON.parse(row.attributes) as MessageAttributes),
    receiveCount: row.receive_count,
    sentAt: row.sent_at,
    firstReceivedAt: row.first_received_at,
    sender: row.sender,
    traceHeader: row.trace_header ?? undefined,
    group: row.group_id ?? undefined,
    deduplicationId: row.deduplication_id ?? undefined,
    sequenceNumber: queue.fifo ? sequenceNumber(row.id) : undefined,
    deadLetterSource: row.dead_letter_source ?? undefined,
  }
}

/**
 * Returns an upper bound for the number of messages in flight. With an exact count for every receive request, requests
 * would get slower as the number of messages grows. So each platform keeps a bound and adds the messages that it
 * receives. It counts again when the bound reaches the limit, or after it has received a part of the remaining
 * messages, because other platforms also receive messages.
 */
function inFlightBound(query: Query, given: () => number | null) {
  const bounds = new Map<number, { bound: number; left: number }>()
  const count = async ({ id }: QueueRow) => {
    const [row] = await query<{ count: number }>(
      'select count(*) as count from messages where queue = $1 and visible_at > (select time_of($2)) and receives > 0',
      [id, given()],
    )
    return row!.count
  }
  return {
    async available(queue: QueueRow, wanted: number): Promise<number> {
      const limit = inFlightLimits[queue.fifo ? 'fifo' : 'standard']
      let known = bounds.get(queue.id)
      if (known === undefined || known.left <= 0 || known.bound + wanted > limit) {
        const bound = await count(queue)
        known = { bound, left: Math.max(100, (limit - bound) / 4) }
        bounds.set(queue.id, known)
      }
      return Math.max(0, Math.min(wanted, limit - known.bound))
    },
    add(queue: QueueRow, taken: number): void {
      const known = bounds.get(queue.id)
      if (known === undefined) return
      known.bound += taken
      known.left -= taken
    },
  }
}
