import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { rollBack } from '../../storage/transactions.ts'

/** A later version of Signalbox wrote the invocation log, in a layout that this version does not know. */
export class UnknownInvocationLogError extends SignalboxError {
  override readonly name = 'UnknownInvocationLogError'
  readonly code = 'UNKNOWN_INVOCATION_LOG'
}

const version = 1

// The short columns come first, so that a sum over them reads no packed bytes.
const blocks = `
create table if not exists blocks (
  last integer primary key autoincrement,
  first integer not null,
  size integer not null,
  newest integer not null,
  functions text not null,
  packed blob not null
) strict`

/**
 * Prepares a database for blocks of entries.
 * @throws UnknownInvocationLogError for a later layout
 */
export function layOut(database: DatabaseSync): void {
  // This comes first, because another process may be preparing the same database.
  database.exec('pragma busy_timeout = 5000')
  const { user_version: found } = database.prepare('pragma user_version').get() as {
    readonly user_version: number
  }
  if (found > version) {
    throw new UnknownInvocationLogError(
      `The invocation log has layout ${found}, and this version of Signalbox knows layout ${version}. Use the version that wrote it, or another dataDir.`,
    )
  }
  // Larger pages hold a packed block in few pieces.
  database.exec('pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('pragma wal_autocheckpoint = 1000')
  if (found === version) return
  database.exec('begin immediate')
  try {
    database.exec(`${blocks}; pragma user_version = ${version}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}
