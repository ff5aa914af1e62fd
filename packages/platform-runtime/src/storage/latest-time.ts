import type { DatabaseSync } from 'node:sqlite'
import { fileOf } from './database-files.ts'
import { transactions } from './transactions.ts'

/**
 * The maximum number of milliseconds by which the stored time may lag behind. Storing it with every change would write a
 * page more each time.
 */
const precision = 1000

/** Creates the table of `latestTime` in a database that has none. */
export function prepareLatestTime(database: DatabaseSync): void {
  database.exec(
    'create table if not exists latest_time (id integer primary key check (id = 1), time integer not null) strict',
  )
}

/**
 * Keeps the time of the latest change of a database, to within a second. It shows that the wall clock was set back
 * while the database was closed, so that its times are in the future.
 */
export function latestTime(database: DatabaseSync) {
  const upsert = database.prepare(
    `insert into latest_time values (1, ?)
    on conflict do update set time = excluded.time where excluded.time >= time + ${precision}`,
  )
  const inTransaction = transactions(
    database,
    options => new Error(`The times in ${fileOf(database)} cannot be corrected: the disk is full.`, options),
  )
  return {
    /**
     * If the clock was set back, corrects the times in the database. Only the platform that owns the database may call
     * this.
     * @param correction gets the number of milliseconds by which the latest change is ahead, and the time
     */
    correct(time: number, correction: (ahead: number, now: number) => void): void {
      const now = Math.floor(time)
      const ahead = storedLatestTime(database) - now
      if (ahead <= 0) return
      // A platform starts on a full disk, too.
      inTransaction(() => {
        correction(ahead, now)
        database.prepare('update latest_time set time = ?').run(now)
      }, 'essential')
    },
    /** Stores the time of a change if the stored time lags behind too far. Called in the transaction of the change. */
    write(now: number): void {
      upsert.run(Math.floor(now))
    },
  }
}

/** Tables, with some of their columns that contain times. */
type Columns = Readonly<Record<string, readonly string[]>>

/**
 * Returns the correction of a database.
 * @param past columns with times of the past. What is in the future becomes the present
 * @param due columns with due times. All move back by the same duration, so that time continues from the latest change:
 * what was due is due, and nothing waits longer than when it was stored
 */
export function correctColumns(
  database: DatabaseSync,
  { past, due = {} }: { readonly past: Columns; readonly due?: Columns },
) {
  return (ahead: number, now: number): void => {
    for (const [table, columns] of Object.entries(past))
      for (const column of columns)
        database.prepare(`update ${table} set ${column} = ? where ${column} > ?`).run(now, now)
    for (const [table, columns] of Object.entries(due))
      for (const column of columns)
        database.prepare(`update ${table} set ${column} = max(0, ${column} - ?)`).run(ahead)
  }
}

/** Returns the stored time, or zero for a database without the table. */
export function storedLatestTime(database: DatabaseSync): number {
  const hasTable = database.prepare("select 1 from sqlite_schema where name = 'latest_time'").get()
  if (hasTable === undefined) return 0
  return Number(database.prepare('select max(time) as time from latest_time').get()!.time ?? 0)
}
