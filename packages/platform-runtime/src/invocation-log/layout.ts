import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { pack } from './block.ts'
import { blockWriter } from './block-writer.ts'
import { maskedEntry } from './masked-entry.ts'
import { type Row, rowEntry } from './row.ts'

/** The invocation log was written by a newer version, whose layout this one does not know. */
export class UnknownJournalError extends SignalboxError {
  override readonly name = 'UnknownJournalError'
  readonly code = 'UNKNOWN_JOURNAL'
}

const version = 2

// The short columns stand early, so that summing them up reads nothing of what is packed.
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
 * Makes a database ready for blocks of entries. An invocation log of the first layout, which had a row for every entry, is
 * taken over, and its secrets are masked by what is known of secrets now.
 * @throws UnknownJournalError for one of a later layout
 */
export function layOut(database: DatabaseSync): void {
  // First of all, since another process may be laying it out right now.
  database.exec('pragma busy_timeout = 5000')
  const { user_version: found } = database.prepare('pragma user_version').get() as {
    readonly user_version: number
  }
  if (found > version) {
    throw new UnknownJournalError(
      `The invocation log has layout ${found}, and this version of Signalbox knows ${version} and earlier ones. Use the version that wrote it, or another dataDir.`,
    )
  }
  // Larger pages hold a packed block in few pieces.
  database.exec('pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('pragma wal_autocheckpoint = 1000')
  if (found === version) return
  const taken = inTransaction(database, () => {
    database.exec(blocks)
    const before = hasRows(database)
    if (before) takeOver(database)
    database.exec(`pragma user_version = ${version}`)
    return before
  })
  // What was deleted is still in the file until something else is written there: secrets that are masked now, too.
  if (taken) database.exec('vacuum; pragma wal_checkpoint(truncate)')
}

function hasRows(database: DatabaseSync): boolean {
  return (
    database.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'invocations'`).get() !==
    undefined
  )
}

function takeOver(database: DatabaseSync): void {
  const writer = blockWriter()
  // Of those that are deleted already, too, an id is never given again.
  database.exec(
    `insert into sqlite_sequence (name, seq) select 'blocks', seq from sqlite_sequence where name = 'invocations'`,
  )
  const insert = database.prepare(
    'insert into blocks (last, first, size, newest, functions, packed) values (?, ?, ?, ?, ?, ?)',
  )
  let last = 0
  const write = () => {
    if (writer.empty) return
    const { text, count, size, newest, functions } = writer.take()
    insert.run(last, last - count + 1, size, newest, JSON.stringify(functions), pack(text))
  }
  const rows = database.prepare('select * from invocations order by id').iterate() as Iterable<Row>
  for (const row of rows) {
    const id = Number(row.id)
    if (writer.full || id !== last + 1) write()
    last = id
    const entry = rowEntry(row)
    const masked = maskedEntry(entry)
    writer.add({ ...masked, masked: masked.masked || entry.masked })
  }
  write()
  database.exec('drop table invocations')
}

function inTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('begin immediate')
  try {
    const result = run()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}
