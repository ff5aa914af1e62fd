import type { DatabaseSync } from 'node:sqlite'
import { fromQueues, isLaidOut } from './layout.ts'

/** A stored message, as it is without a receive. */
export interface PeekedMessage {
  readonly messageId: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  /** How often it was received. */
  readonly receiveCount: number
  readonly group?: string
  /** The queue that moved the message to this dead-letter queue. */
  readonly deadLetterSource?: string
}

/**
 * Reads the oldest messages of a queue without receiving them: their receive count and visibility stay unchanged.
 * It only reads, so that it may run while a platform uses the database.
 * @returns undefined when the queue does not exist
 */
export function peekMessages(
  database: DatabaseSync,
  queue: string,
  limit: number,
): readonly PeekedMessage[] | undefined {
  return fromQueues(database, () => {
    if (!isLaidOut(database)) return undefined
    const found = database.prepare('select id from queues where name = ?').get(queue)
    if (found === undefined) return undefined
    const rows = database
      .prepare(
        `select message_id, body, sent_at, receives + received_before as received, group_id, dead_letter_source
         from messages where queue = ? order by id limit ?`,
      )
      .all(Number(found.id), limit)
    return rows.map(row => ({
      messageId: String(row.message_id),
      body: String(row.body),
      sentAt: Number(row.sent_at),
      receiveCount: Number(row.received),
      ...(row.group_id !== null && { group: String(row.group_id) }),
      ...(row.dead_letter_source !== null && { deadLetterSource: String(row.dead_letter_source) }),
    }))
  })
}
