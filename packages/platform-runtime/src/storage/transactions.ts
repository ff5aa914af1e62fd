import type { DatabaseSync } from 'node:sqlite'
import { countCommit } from './durability.ts'

/** SQLite's codes for a full disk, and for a disk that cannot be written. */
const fullCodes = [13, 778]

/**
 * Runs work on a database completely or not at all. If the work throws, nothing is changed. `whenFull` creates the
 * error for a full disk.
 */
export function transactions(
  database: DatabaseSync,
  whenFull: (options: ErrorOptions) => Error,
): <T>(work: () => T) => T {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  return work => {
    begin.run()
    try {
      const result = work()
      commit.run()
      countCommit(database)
      return result
    } catch (error) {
      rollBack(database)
      throw isFull(error) ? whenFull({ cause: error }) : error
    }
  }
}

function isFull(error: unknown): boolean {
  return fullCodes.includes((error as { errcode?: number }).errcode ?? 0)
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
