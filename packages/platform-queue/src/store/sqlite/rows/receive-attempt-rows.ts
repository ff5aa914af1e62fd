import type { DatabaseSync } from 'node:sqlite'
import type { QueueRow } from './queue-rows.ts'

/** The messages of a FIFO receive with an attempt id, for a client that did not get the response. */
export interface ReceiveAttempt {
  readonly hiddenUntil: number
  readonly messages: readonly (readonly [id: number, nonce: string])[]
}

/** Returns access to the table of receives that clients can repeat by their attempt ids. */
export function receiveAttemptRows(database: DatabaseSync) {
  const find = database.prepare(
    'select hidden_until, messages from receive_attempts where queue = ? and attempt = ? and expires_at > ?',
  )
  const insert = database.prepare(
    'insert or replace into receive_attempts (queue, attempt, expires_at, hidden_until, messages) values (?, ?, ?, ?, ?)',
  )
  const prolong = database.prepare(
    'update receive_attempts set hidden_until = ? where queue = ? and attempt = ?',
  )
  const removeExpired = database.prepare('delete from receive_attempts where expires_at <= ?')
  const removeAll = database.prepare('delete from receive_attempts where queue = ?')
  return {
    find(queue: QueueRow, attempt: string, now: number): ReceiveAttempt | undefined {
      const row = find.get(queue.id, attempt, now)
      return row && { hiddenUntil: Number(row.hidden_until), messages: JSON.parse(String(row.messages)) }
    },
    add(
      queue: QueueRow,
      attempt: string,
      expiresAt: number,
      { hiddenUntil, messages }: ReceiveAttempt,
    ): void {
      insert.run(queue.id, attempt, expiresAt, hiddenUntil, JSON.stringify(messages))
    },
    prolong: (queue: QueueRow, attempt: string, hiddenUntil: number): void =>
      void prolong.run(hiddenUntil, queue.id, attempt),
    removeExpired: (now: number): void => void removeExpired.run(now),
    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type ReceiveAttemptRows = ReturnType<typeof receiveAttemptRows>
