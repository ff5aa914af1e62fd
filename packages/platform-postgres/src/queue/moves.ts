import {
  type MoveOptions,
  type MoveStep,
  type MoveTask,
  movedAtOnce,
  refuseCancel,
  refuseMove,
  rememberedMoves,
  resourceNotFound,
} from '@signalbox/platform-queue/store'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { Database } from '../database.ts'
import { type QueueRow, readQueues } from './queue-rows.ts'

/** Milliseconds after which another platform continues a task that makes no progress. */
const lease = 15_000

const columns =
  'task, destination, per_second as "perSecond", started_at as "startedAt", to_move as "toMove", moved, status, failure'

/**
 * Runs message move tasks. Only the platform that has a lease on a task runs it. Every step checks the lease in the
 * transaction that moves messages, so that a platform that was paused cannot change anything after another platform has
 * taken over.
 * @param given returns the time that a test sets, or null to use the database clock
 * @param platformId identifies this platform
 */
export function queueMoves(
  database: Database,
  given: () => number | null,
  random: Random,
  platformId: string,
) {
  const sourceOf = (rows: ReadonlyMap<string, QueueRow>, name: string): QueueRow => {
    const source = rows.get(name)
    if (source === undefined) throw resourceNotFound('SourceArn')
    return source
  }

  return {
    /** Returns the id of the task. */
    start: (name: string, options: MoveOptions): Promise<string> =>
      database.transaction(async query => {
        await query('lock table moves in share row exclusive mode')
        const rows = await readQueues(query)
        const source = sourceOf(rows, name)
        const { destination, perSecond } = options
        const running = await query("select from moves where source = $1 and status = 'RUNNING'", [source.id])
        refuseMove(name, options, {
          isDeadLetterQueue: [...rows.values()].some(
            ({ attributes }) => attributes.deadLetter?.queue === name,
          ),
          hasDestination: destination !== undefined && rows.has(destination),
          hasRunningTask: running.length > 0,
        })
        const task = randomUuid(random)
        await query('select drop_expired($1, time_of($2), $3)', [
          source.id,
          given(),
          source.attributes.retentionPeriod,
        ])
        await query(
          `insert into moves (task, source, destination, per_second, last_message, started_at, to_move, holder, leased_until)
           select $1, $2, $3, $4, last, t, (select count(*) from movable($2, $3, last, t)), $6, t + $7
           from time_of($5) t, (select coalesce(max(id), 0) as last from messages) l`,
          [task, source.id, destination ?? null, perSecond ?? null, given(), platformId, lease],
        )
        await query(
          `delete from moves where source = $1 and id not in
             (select id from moves where source = $1 order by id desc limit $2)`,
          [source.id, rememberedMoves],
        )
        return task
      }),

    async step(task: string): Promise<MoveStep> {
      const [row] = await database.query<{ running: boolean; moved_to: string[] }>(
        `select s.* from moves m, step_move(m.task, $2, $3, $4, least(coalesce(m.per_second, $5), $5)) s where m.task = $1`,
        [task, given(), platformId, lease, movedAtOnce],
      )
      return { isRunning: row?.running ?? false, to: row?.moved_to ?? [] }
    },

    async list(name: string): Promise<readonly MoveTask[]> {
      const source = sourceOf(await readQueues(database.query), name)
      return database.query<MoveTask>(`select ${columns} from moves where source = $1 order by id desc`, [
        source.id,
      ])
    },

    /** Returns the number of messages that the task moved. */
    cancel: (name: string, task: string): Promise<number> =>
      database.transaction(async query => {
        const source = sourceOf(await readQueues(query), name)
        const [row] = await query<MoveTask>(
          `select ${columns} from moves where task = $1 and source = $2 for update`,
          [task, source.id],
        )
        refuseCancel(row)
        await query("update moves set status = 'CANCELLED' where task = $1", [task])
        return row!.moved
      }),

    async fail(task: string, failure: string): Promise<void> {
      await database.query(
        "update moves set status = 'FAILED', failure = $2 where task = $1 and status = 'RUNNING' and holder = $3",
        [task, failure, platformId],
      )
    },

    /** Returns the running tasks on which no other platform has a lease. */
    free: () =>
      database.query<{ readonly task: string; readonly perSecond: number | null }>(
        `select task, per_second as "perSecond" from moves
         where status = 'RUNNING' and leased_until <= time_of($1) order by id`,
        [given()],
      ),
  }
}
