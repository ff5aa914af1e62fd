import type { WorkQueue } from '@signalbox/platform-runtime/work'
import type { Database } from '../database.ts'
import type { PeriodicWork } from '../periodic-work.ts'
import { workTable } from './work-table.ts'

/** The parts of the engine that work needs. */
export interface WorkParts {
  readonly database: Database
  readonly periodic: PeriodicWork
  /** Identifies this platform. */
  readonly platformId: string
  /** Whether the caller's times are used instead of the database clock, as in a test. */
  readonly usesGivenTime: boolean
}

/** Milliseconds after which a platform looks for the work of other platforms. It does its own work at once. */
const pollInterval = 5000

/** Returns the time for a statement: null to use the database clock. */
export const timeOf =
  ({ usesGivenTime }: Pick<WorkParts, 'usesGivenTime'>) =>
  (now: number): number | null =>
    usesGivenTime ? Math.floor(now) : null

/** Opens the work queue in a table of PostgreSQL, which several platforms share. */
export function workQueue(parts: WorkParts, table: string): WorkQueue {
  const { database, periodic, platformId } = parts
  const { query } = database
  const work = workTable(table, platformId, timeOf(parts))
  return {
    put: (each, now) => work.put(query, each, now),
    claim: (queue, now, limit) => work.claim(query, queue, now, limit),
    finish: each => work.finish(query, each),
    retry: (each, data, dueAt, now) => work.retry(query, each, data, dueAt, now),
    giveBack: (each, dueAt, now) => work.giveBack(query, each, dueAt, now),
    unclaim: each => work.unclaim(query, each),
    async counts() {
      const rows = await query<{ queue: string; count: number }>(
        `select queue, count(*) as count from ${table} group by queue`,
      )
      return new Map(rows.map(({ queue, count }) => [queue, count]))
    },
    watch(changed) {
      const stop = periodic.each(table, pollInterval, async () => {
        if (!parts.usesGivenTime) await work.correct(query).catch(() => {})
        changed()
      })
      return () => void stop()
    },
    close: () => database.idle(),
  }
}
