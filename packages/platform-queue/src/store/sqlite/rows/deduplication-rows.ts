import type { DatabaseSync } from 'node:sqlite'
import type { QueueRow } from './queue-rows.ts'

/** Returns access to the table of recent deduplication ids, which are kept longer than their messages. */
export function deduplicationRows(database: DatabaseSync) {
  const find = database.prepare(
    'select message, message_id from deduplications where queue = ? and token = ? and expires_at > ?',
  )
  const insert = database.prepare(
    'insert or replace into deduplications (queue, token, expires_at, message, message_id) values (?, ?, ?, ?, ?)',
  )
  const removeExpired = database.prepare('delete from deduplications where expires_at <= ?')
  const any = database.prepare('select 1 from deduplications limit 1')
  const removeAll = database.prepare('delete from deduplications where queue = ?')
  return {
    find(queue: QueueRow, token: string, now: number) {
      const row = find.get(queue.id, token, now)
      return row && { message: Number(row.message), messageId: String(row.message_id) }
    },
    add(queue: QueueRow, token: string, expiresAt: number, message: number, messageId: string): void {
      insert.run(queue.id, token, expiresAt, message, messageId)
    },
    any: (): boolean => any.get() !== undefined,
    removeExpired: (now: number): void => void removeExpired.run(now),
    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type DeduplicationRows = ReturnType<typeof deduplicationRows>
