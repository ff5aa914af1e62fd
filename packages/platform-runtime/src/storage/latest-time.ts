import type { DatabaseSync } from 'node:sqlite'

/**
 * The maximum number of milliseconds by which the stored time may lag behind. Storing it with every change would cost
 * too much.
 */
const precision = 1000

/** Creates the table of `latestTime` in a database that has none. */
export function prepareLatestTime(database: DatabaseSync): void {
  database.exec(
    'create table if not exists latest_time (id integer primary key check (id = 1), time integer not null) strict',
  )
}

/**
 * Keeps the time of the latest change of a database, to within a second. Without that time, times in the database would
 * be in the future after the clock was set back.
 */
export function latestTime(database: DatabaseSync) {
  const upsert = database.prepare(
    'insert into latest_time values (1, ?) on conflict do update set time = max(time, excluded.time)',
  )
  let kept = storedLatestTime(database)
  return {
    /**
     * Returns the milliseconds to add to a clock with the time `now`, so that time continues from the latest change.
     * @param matters whether any data depends on the latest time. If not, the stored time is forgotten, so that a clock
     * that was ahead once has no lasting effect.
     */
    lag(now: number, matters: boolean): number {
      if (kept <= now) return 0
      if (matters) return kept - now
      database.exec('delete from latest_time')
      kept = 0
      return 0
    },
    /** Returns whether the time of a change has to be stored. */
    isNews: (now: number): boolean => now >= kept + precision,
    /** Stores a time, in the transaction that makes a change. */
    write: (now: number): void => void upsert.run(now),
    /** Remembers a stored time. Called when its transaction is on the disk. */
    written: (now: number): void => {
      kept = Math.max(kept, now)
    },
  }
}

/** Returns the stored time, or zero for a database without the table. */
export function storedLatestTime(database: DatabaseSync): number {
  const hasTable = database.prepare("select 1 from sqlite_schema where name = 'latest_time'").get()
  if (hasTable === undefined) return 0
  return Number(database.prepare('select max(time) as time from latest_time').get()!.time ?? 0)
}
