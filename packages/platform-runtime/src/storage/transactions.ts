import type { DatabaseSync } from 'node:sqlite'
import { reportTime } from './commit-times.ts'
import { countCommit } from './durability.ts'
import { type DataKind, type FreeSpace, freeSpaceOf, strictestKind } from './free-space.ts'
import { isDiskFull } from './reserve-file.ts'

/** The data that a write adds. */
interface AddedData {
  /** Default `data`. */
  readonly kind?: DataKind
  /** The approximate size of the data in bytes. Default 0. */
  readonly bytes?: number
}

/**
 * What a write needs of the disk. `essential` is for work that must succeed on a full disk: what frees space, takes
 * rights away, or goes on with accepted work. It may use the whole reserve, and adds next to nothing.
 */
export type Need = 'essential' | AddedData

/** Returns the need of several writes in one transaction: that of the data that leaves most space free. */
export function sharedNeed(needs: readonly Need[]): Need {
  const added = needs.filter(need => need !== 'essential')
  if (added.length === 0) return 'essential'
  return {
    kind: strictestKind(added.map(({ kind = 'data' }) => kind)),
    bytes: added.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
  }
}

/** SQLite writes data twice: first to its log, and then to its tables. A write also changes some more pages. */
const copies = 2
const overhead = 64 * 1024

/** Returns whether there is space for a write. */
export function hasSpaceFor(space: Pick<FreeSpace, 'forRows'>, need: Need): boolean {
  return need === 'essential' || space.forRows(copies * (need.bytes ?? 0) + overhead, need.kind)
}

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
    if (!hasSpaceFor(space, need)) throw whenFull()
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
