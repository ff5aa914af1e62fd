import type { DatabaseSync } from 'node:sqlite'
import type { QueueRow } from './queue-rows.ts'

/**
 * The groups of FIFO queues that have messages. A group is ready when its first message is visible. Groups take turns: whichever became ready first is next, so that one that comes back at
 * once, or has a million messages, keeps nobody waiting.
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
    /** Lanes that are ready, in the order of their turns. */
    ready: (queue: QueueRow, now: number, max: number): readonly string[] =>
      ready.all(queue.id, now, max).map(row => String(row.fifo_group)),

    /** When the next group will be ready, if nothing else happens. */
    nextReady: (queue: QueueRow, now: number): number | undefined => {
      const { time } = next.get(queue.id, now)!
      return time === null ? undefined : Number(time)
    },

    /** A message came to the end of a group. */
    extend: (queue: QueueRow, fifoGroup: string, visibleAt: number): void => {
      insert.run(queue.id, fifoGroup, visibleAt, ++turn)
    },

    /** Something else happened to a group's messages: it goes behind those that are ready already. */
    refresh(queue: QueueRow, fifoGroup: string, now: number): void {
      const head = first.get(queue.id, fifoGroup)
      if (head === undefined) return void remove.run(queue.id, fifoGroup)
      update.run(Math.max(Number(head.visible_at), now), ++turn, queue.id, fifoGroup)
    },

    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type GroupRows = ReturnType<typeof groupRows>
