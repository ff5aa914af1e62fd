import type { DatabaseSync } from 'node:sqlite'

/**
 * What a storage did, and how long it took. `transaction`: changes were made and committed. `commit`: they were brought to
 * the disk. `statement`: one statement on a server, with its commit.
 */
export type StorageTime = (operation: 'transaction' | 'commit' | 'statement', seconds: number) => void

const observers = new WeakMap<DatabaseSync, StorageTime>()

/** Observes how long the work of a database takes. */
export function observeTimes(database: DatabaseSync, observe: StorageTime): DatabaseSync {
  observers.set(database, observe)
  return database
}

/** Reports that work has ended which began at a time of `performance.now()`. */
export function reportTime(
  database: DatabaseSync,
  operation: Parameters<StorageTime>[0],
  began: number,
): void {
  observers.get(database)?.(operation, (performance.now() - began) / 1000)
}
