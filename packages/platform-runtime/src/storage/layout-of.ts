import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { fileOf } from './database-files.ts'
import { rollBack } from './transactions.ts'

/** Reports that a later version of Signalbox wrote a database in a layout that this version does not know. */
export class UnknownLayoutError extends SignalboxError {
  override readonly name = 'UnknownLayoutError'
  readonly code = 'UNKNOWN_LAYOUT'
}

/**
 * Reads the number of a database's layout. An empty database has layout 0.
 * @param what the contents of the database, such as `The queues`
 * @param latest the latest layout that this version knows
 * @throws UnknownLayoutError for a later layout
 */
export function layoutOf(database: DatabaseSync, what: string, latest: number): number {
  const layout = Number(database.prepare('pragma user_version').get()!.user_version)
  if (layout <= latest) return layout
  throw new UnknownLayoutError(
    `${what} in ${fileOf(database)} have layout ${layout}, and this version of Signalbox knows layouts up to ${latest}. Use the version that wrote them, or another dataDir.`,
  )
}

/**
 * Brings a database to the latest layout, in one transaction. Another process may do the same at the same time.
 * @param change gets the number of the layout that the database has
 * @throws UnknownLayoutError for a later layout
 */
export function upgradeLayout(
  database: DatabaseSync,
  what: string,
  latest: number,
  change: (from: number) => void,
): void {
  if (layoutOf(database, what, latest) === latest) return
  database.exec('begin immediate')
  try {
    const from = layoutOf(database, what, latest)
    if (from < latest) change(from)
    database.exec(`pragma user_version = ${latest}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}
