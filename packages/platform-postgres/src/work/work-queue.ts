import type { WorkQueue } from '@signalbox/platform-runtime/work'
import type { Database } from '../database.ts'
import type { Notifications } from '../notifications.ts'
import type { PeriodicWork } from '../periodic-work.ts'
import { workTable } from './work-table.ts'

/** The parts of the engine that work needs. */
export interface WorkParts {
  readonly database: Database
  readonly notifications: Notifications
  readonly periodic: PeriodicWork
  /** Identifies this platform. */
  readonly platformId: string
  /** Whether the caller's times are used instead of the database clock, as in a test. */
  readonly usesGivenTime: boolean
}

/** Milliseconds after which a platform looks for due work even without a notification, because one may be lost. */
const pollInterval = 2000

/** Returns the time for a statement: null to use the database clock. */
export const timeOf =
  ({ usesGivenTime }: Pick<WorkParts, 'usesGivenTime'>) =>
  (now: number): number | null =>
    usesGivenTime ? Math.floor(now) : null

/** Calls a function when another platform has notified of a topic, and regularly. Returns a function that ends these calls. */
export function watchTopic(
  topic: string,
  { notifications, periodic }: Pick<WorkParts, 'notifications' | 'periodic'>,
  changed: () => void,
): () => void {
  const stopListening = notifications.listen(heard => {
    if (heard === undefined || heard === topic) changed()
  })
  const stopPolling = periodic.each(topic, pollInterval, async () => changed())
  return () => {
    stopListening()
    void stopPolling()
  }
}

/** Opens the work queue in a table of PostgreSQL, which several platforms share. */
export function workQueue(parts: WorkParts, table: string): WorkQueue {
  const { database, notifications, platformId } = parts
  const { query } = database
  const work = workTable(table, platformId, timeOf(parts))
  return {
    async put(each, now) {
      await work.put(query, each, now)
      notifications.notify(table)
    },
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
    watch: changed => watchTopic(table, parts, changed),
    close: () => database.idle(),
  }
}
