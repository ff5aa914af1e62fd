import type { DatabaseSync } from 'node:sqlite'
import type { SendTokens } from '../../send-token.ts'
import type { QueueRow } from './queue-rows.ts'

/** Returns access to the table of recent deduplication ids, which are kept longer than their messages. */
export function deduplicationRows(database: DatabaseSync) {
  const find = database.prepare(
    `select message, message_id from deduplications where queue = ? and token in (?, ?) and expires_at > ?
     order by message desc limit 1`,
  )
  const insert = database.prepare(
    'insert or replace into deduplications (queue, token, expires_at, message, message_id) values (?, ?, ?, ?, ?)',
  )
  const removeExpired = database.prepare('delete from deduplications where expires_at <= ?')
  const removeAll = database.prepare('delete from deduplications where queue = ?')
  return {
    /** Finds the latest message that has one of the tokens. */
    find(queue: QueueRow, { token, otherToken }: SendTokens, now: number) {
      const row = find.get(queue.id, token, otherToken, now)
      return row && { message: Number(row.message), messageId: String(row.message_id) }
    },
    add(queue: QueueRow, token: string, expiresAt: number, message: number, messageId: string): void {
      insert.run(queue.id, token, expiresAt, message, messageId)
    },
    removeExpired: (now: number): void => void removeExpired.run(now),
    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type DeduplicationRows = ReturnType<typeof deduplicationRows>
