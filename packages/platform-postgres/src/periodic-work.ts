import type { Database } from './database.ts'

/**
 * Work that repeats while the platform runs. Each returned function stops the work, and resolves when it no
 * longer runs.
 */
export interface PeriodicWork {
  /** Runs work on every platform. */
  readonly each: (name: string, interval: number, work: () => Promise<void>) => () => Promise<void>
  /** Runs work on only one platform in each interval. */
  readonly onePlatform: (name: string, interval: number, work: () => Promise<void>) => () => Promise<void>
}

/**
 * Runs work on timers of this process. The database decides which platform does the work of an interval: the
 * first one that records its run.
 */
export function periodicWork(database: Database): PeriodicWork {
  const each: PeriodicWork['each'] = (_name, interval, work) => {
    let running = Promise.resolve()
    let isRunning = false
    const timer = setInterval(() => {
      if (isRunning) return
      isRunning = true
      // Work that fails runs again after the interval, for example while the database is unreachable.
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
      each(name, interval, async () => {
        const mine = await database.query(
          `insert into jobs as j (name, ran_at) values ($1, time_of(null))
           on conflict (name) do update set ran_at = excluded.ran_at where j.ran_at <= excluded.ran_at - $2 / 2
           returning 1`,
          [name, interval],
        )
        if (mine.length > 0) await work()
      }),
  }
}
