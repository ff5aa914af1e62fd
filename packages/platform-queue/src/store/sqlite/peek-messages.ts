import type { DatabaseSync } from 'node:sqlite'
import type { PeekedMessage } from '../own-queue-store.ts'
import type { MessageAttributes } from '../queue-store.ts'
import { isPrepared, queueDamage } from './layout.ts'

/**
 * Reads the oldest messages of a queue without receiving them, so that their receive count and visibility stay
 * unchanged. It only reads, so it can run while a platform uses the database.
 * @param after the position of a message; only messages after it are returned
 * @returns undefined if the queue does not exist
 */
export function peekMessages(
  database: DatabaseSync,
  queue: string,
  limit: number,
  after = 0,
): readonly PeekedMessage[] | undefined {
  return queueDamage.run(database, () => {
    if (!isPrepared(database)) return undefined
    const found = database.prepare('select id from queues where name = ?').get(queue)
    if (found === undefined) return undefined
    const rows = database
      .prepare(
        `select id, message_id, body, sent_at, receives + received_before as received, attributes,
           max(visible_at, sent_at) as visible_at,
           receipt is not null as is_received, group_id, deduplication_id, dead_letter_source
         from messages where queue = ? and id > ? order by id limit ?`,
      )
      .all(Number(found.id), after, limit)
    return rows.map(row => ({
      position: Number(row.id),
      messageId: String(row.message_id),
      body: String(row.body),
      sentAt: Number(row.sent_at),
      receiveCount: Number(row.received),
      attributes: JSON.parse(String(row.attributes ?? '{}')) as MessageAttributes,
      visibleAt: Number(row.visible_at),
      isReceived: row.is_received === 1,
      ...(row.group_id !== null && { group: String(row.group_id) }),
      ...(row.deduplication_id !== null && { deduplicationId: String(row.deduplication_id) }),
      ...(row.dead_letter_source !== null && { deadLetterSource: String(row.dead_letter_source) }),
    }))
  })
}
