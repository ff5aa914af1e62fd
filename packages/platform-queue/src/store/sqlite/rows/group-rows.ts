import type { DatabaseSync } from 'node:sqlite'
import type { QueueRow } from './queue-rows.ts'

/**
 * Returns access to the table of FIFO groups that have messages. A group is ready when its first message is
 * visible. The group that became ready first is next, so that a large or frequent group does not block
 * others.
 */
export function groupRows(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into groups (queue, fifo_group, ready_at, turn) values (?, ?, ?, ?) on conflict do nothing',
  )
  const update = database.prepare(
    'update groups set ready_at = ?, turn = ? where queue = ? and fifo_group = ?',
  )
  const remove = database.prepare('delete from groups where queue = ? and fifo_group = ?')
  const removeAll = database.prepare('delete from groups where queue = ?')
  const ready = database.prepare(
    'select fifo_group from groups where queue = ? and ready_at <= ? order by ready_at, turn limit ?',
  )
  const next = database.prepare('select min(ready_at) as time from groups where queue = ? and ready_at > ?')
  const first = database.prepare(
    'select visible_at from messages where queue = ? and fifo_group = ? order by id limit 1',
  )
  let turn = Number(database.prepare('select max(turn) as turn from groups').get()!.turn ?? 0)

  return {
    /** Returns the ready groups in order. */
    ready: (queue: QueueRow, now: number, max: number): readonly string[] =>
      ready.all(queue.id, now, max).map(row => String(row.fifo_group)),

    /** Returns the time at which the next group becomes ready if nothing else happens. */
    nextReady: (queue: QueueRow, now: number): number | undefined => {
      const { time } = next.get(queue.id, now)!
      return time === null ? undefined : Number(time)
    },

    /** Adds a message to the end of a group. */
    extend: (queue: QueueRow, fifoGroup: string, visibleAt: number): void => {
      insert.run(queue.id, fifoGroup, visibleAt, ++turn)
    },

    /** Updates a group after any other change of its messages, and puts it after the ready groups. */
    refresh(queue: QueueRow, fifoGroup: string, now: number): void {
      const head = first.get(queue.id, fifoGroup)
      if (head === undefined) return void remove.run(queue.id, fifoGroup)
      update.run(Math.max(Number(head.visible_at), now), ++turn, queue.id, fifoGroup)
    },

    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type GroupRows = ReturnType<typeof groupRows>
