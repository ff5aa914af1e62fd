import type { DatabaseSync } from 'node:sqlite'
import { reportTime } from './commit-times.ts'
import { countCommit } from './durability.ts'
import { type FreeSpace, freeSpaceOf, type Need } from './free-space.ts'
import { isDiskFull } from './reserve-file.ts'

/** Runs work on a database completely or not at all. */
export type Write = <T>(work: () => T, need?: Need) => T

/**
 * Returns a function that runs work on a database completely or not at all. If the work throws, nothing is changed. Work
 * that adds data is refused while it would take space of the reserve. Essential work that finds the disk full runs a
 * second time, after the reserve file was given up. See docs/decisions/storage-and-postgresql.md#free-space.
 * @param whenFull creates the error for a full disk
 */
export function transactions(
  database: DatabaseSync,
  whenFull: (options?: ErrorOptions) => Error,
  space: Pick<FreeSpace, 'forRows' | 'giveUpReserve'> = freeSpaceOf(database),
): Write {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const run = <T>(work: () => T): T => {
    const began = performance.now()
    begin.run()
    try {
      const result = work()
      commit.run()
      countCommit(database)
      reportTime(database, 'transaction', began)
      return result
    } catch (error) {
      rollBack(database)
      throw error
    }
  }
  return (work, need = {}) => {
    if (!space.forRows(need)) throw whenFull()
    try {
      return run(work)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      if (need !== 'essential' || !space.giveUpReserve()) throw whenFull({ cause: error })
    }
    try {
      return run(work)
    } catch (error) {
      throw isDiskFull(error) ? whenFull({ cause: error }) : error
    }
  }
}

/**
 * Rolls a transaction back. After some errors, such as a full disk, SQLite has already rolled it back, which Node
 * before 22.16 does not show.
 */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('rollback')
  } catch {
    // No transaction is open. The caller throws the original error.
  }
}
