import type { DatabaseSync } from 'node:sqlite'
import { QueueStoreError } from './queue-store-error.ts'

/** Codes of SQLite for a disk that is full, and for one that cannot be written to. */
const fullCodes = [13, 778]

/**
 * What runs work on a database, all of it or nothing: what the work returns is on the disk, and when it throws,
 * nothing has changed. A full disk is a `QueueStoreError`.
 */
export function transactions(database: DatabaseSync): <T>(work: () => T) => T {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  return work => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw isFull(error) ? storageFull({ cause: error }) : error
    }
  }
}

/** The answer to whoever wants to store something for which there is no room. */
export function storageFull(options?: ErrorOptions): QueueStoreError {
  return new QueueStoreError('STORAGE_FULL', 'There is no room left for messages: the disk is full.', options)
}

function isFull(error: unknown): boolean {
  return fullCodes.includes((error as { errcode?: number }).errcode ?? 0)
}
