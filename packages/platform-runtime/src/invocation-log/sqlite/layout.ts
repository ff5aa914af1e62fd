import type { DatabaseSync } from 'node:sqlite'
import { layoutOf } from '../../storage/layout-of.ts'
import { rollBack } from '../../storage/transactions.ts'

const version = 2

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

// The index of the blocks. A search for a text reads only the n-grams. See docs/decisions/invocation-log.md#blocks-in-sqlite.
const segments = `
create table if not exists segments (
  last integer primary key,
  first integer not null,
  oldest integer not null,
  newest integer not null,
  abouts text not null,
  columns blob not null
) strict;
create table if not exists grams (
  last integer primary key,
  grams blob not null
) strict`

/**
 * Prepares a database for blocks of entries.
 * @throws UnknownLayoutError for a later layout
 */
export function prepareDatabase(database: DatabaseSync): void {
  // The time-out is set first, because another process may be preparing the same database.
  database.exec('pragma busy_timeout = 5000')
  const found = layoutOf(database, 'The invocations', version)
  // In larger pages, a packed block is stored in fewer pieces.
  database.exec('pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('pragma wal_autocheckpoint = 1000')
  if (found === version) return
  database.exec('begin immediate')
  try {
    database.exec(`${blocks}; ${segments}; pragma user_version = ${version}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}
