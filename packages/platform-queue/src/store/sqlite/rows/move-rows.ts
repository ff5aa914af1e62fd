import type { DatabaseSync } from 'node:sqlite'
import { rememberedMoves } from '../../move-rules.ts'
import type { MoveTask } from '../../own-queue-store.ts'
import type { QueueRow } from './queue-rows.ts'

/** A row of the table of message move tasks. */
export interface MoveRow extends MoveTask {
  /** The id of the dead-letter queue. */
  readonly source: number
  /**
   * The newest message at the start of the task. Newer messages do not move, because they might be moved messages that
   * failed again.
   */
  readonly lastMessage: number
}

/** Returns access to the table of message move tasks. */
export function moveRows(database: DatabaseSync) {
  const columns =
    'task, source, destination, per_second as perSecond, last_message as lastMessage, started_at as startedAt, to_move as toMove, moved, status, failure'
  const insert = database.prepare(
    'insert into moves (task, source, destination, per_second, last_message, started_at, to_move) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const update = database.prepare('update moves set moved = ?, status = ?, failure = ? where task = ?')
  const get = database.prepare(`select ${columns} from moves where task = ?`)
  const running = database.prepare(`select ${columns} from moves where status = 'RUNNING' order by id`)
  const ofSource = database.prepare(`select ${columns} from moves where source = ? order by id desc`)
  const removeOld = database.prepare(
    'delete from moves where source = ? and id not in (select id from moves where source = ? order by id desc limit ?)',
  )
  const removeAll = database.prepare('delete from moves where source = ?')
  return {
    add(move: Omit<MoveRow, 'moved' | 'status' | 'failure'>): void {
      const { task, source, destination, perSecond, lastMessage, startedAt, toMove } = move
      insert.run(task, source, destination, perSecond, lastMessage, startedAt, toMove)
      removeOld.run(source, source, rememberedMoves)
    },
    update: ({ task, moved, status, failure }: MoveRow): void =>
      void update.run(moved, status, failure, task),
    get: (task: string) => get.get(task) as unknown as MoveRow | undefined,
    running: () => running.all() as unknown as readonly MoveRow[],
    /** Returns the tasks of a queue, newest first. */
    of: (source: QueueRow) => ofSource.all(source.id) as unknown as readonly MoveRow[],
    removeAll: (queue: QueueRow): void => void removeAll.run(queue.id),
  }
}

export type MoveRows = ReturnType<typeof moveRows>
