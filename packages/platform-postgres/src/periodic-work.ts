import type { Database, Query } from './database.ts'

/**
 * Milliseconds without a statement after which the database ends the session of a platform that does periodic work. A
 * platform that was paused, or that the network has cut off, then no longer holds the work.
 */
const idleTime = 15_000

/**
 * Work that repeats while the platform runs. Each returned function stops the work, and resolves when it no
 * longer runs.
 */
export interface PeriodicWork {
  /** Runs work on every platform. */
  readonly each: (name: string, interval: number, work: () => Promise<void>) => () => Promise<void>
  /**
   * Runs work on only one platform at a time, and about once in each interval. The work must change data only through
   * the given function, which fails when the platform no longer holds the work.
   */
  readonly onePlatform: (
    name: string,
    interval: number,
    work: (query: Query) => Promise<void>,
  ) => () => Promise<void>
}

/**
 * Runs work on timers of this process. The platform whose database session holds a lock does the work. Every statement
 * of the work runs in this session, so that a statement either runs while no other platform can do the work, or fails.
 * The session ends with its connection, or when the database has received no statement for `idle` milliseconds, however
 * long the work takes.
 */
export function periodicWork(database: Database, { idle = idleTime } = {}): PeriodicWork {
  const each: PeriodicWork['each'] = (_name, interval, work) => {
    let running = Promise.resolve()
    let isRunning = false
    const timer = setInterval(() => {
      if (isRunning) return
      isRunning = true
      // Work that fails, for example because the database is unreachable, runs again after the interval.
      running = work()
        .catch(() => {})
        .finally(() => {
          isRunning = false
        })
    }, interval)
    timer.unref()
    return () => {
      clearInterval(timer)
      return running
    }
  }
  return {
    each,
    onePlatform: (name, interval, work) =>
      each(name, interval, () =>
        database.session(async query => {
          const [lock] = await query<{ isMine: boolean }>(
            `select set_config('idle_session_timeout', $2, false),
               pg_try_advisory_lock(hashtextextended('signalbox job ' || $1 || ' of ' || current_schema(), 0)) as "isMine"`,
            [name, idle],
          )
          if (!lock!.isMine) return
          const due = await query(
            `insert into jobs as j (name, ran_at) values ($1, time_of(null))
             on conflict (name) do update set ran_at = excluded.ran_at where j.ran_at not between excluded.ran_at - $2 / 2 + 1 and excluded.ran_at
             returning 1`,
            [name, interval],
          )
          if (due.length > 0) await work(query)
        }),
      ),
  }
}
