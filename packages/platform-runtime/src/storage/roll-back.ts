import type { DatabaseSync } from 'node:sqlite'

/**
 * Ends a transaction of which nothing is to stay. After some errors, such as that of a full disk, SQLite has ended it
 * by itself; whether it has, Node cannot tell before 22.16.
 */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('rollback')
  } catch {
    // There is none any more. Whatever else is wrong, the error that led here says it.
  }
}
