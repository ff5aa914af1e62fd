import type { DatabaseSync } from 'node:sqlite'
import { layoutOf } from '../../storage/layout-of.ts'
import { rollBack } from '../../storage/transactions.ts'
import { restartedLog } from '../invocation-log.ts'

const version = 4

/** The texts of the earlier layouts were packed in blocks. */
const earlierTables = ['blocks', 'segments', 'grams']

const traceIndexes = `
create index invocations_by_trace on invocations (trace_id) where trace_id is not null;
create index invocations_with_links on invocations (id) where links is not null;
`

/**
 * `facts` has what many entries share, so that an entry needs one number for it. `invocation_log` has one row: the last
 * id, the id from which entries are not in the text index, and the number of pages of all these tables.
 */
const tables = `
create table invocation_log (last_id integer not null, indexed integer not null, pages integer not null) strict;
create table facts (
  fact integer primary key, function text not null, source text not null, family text, generation integer not null,
  verdict text, is_ok integer not null, severity text not null
) strict;
create index facts_by_function on facts (function, source, generation);
create table invocations (
  id integer primary key, fact integer not null, request_id text not null, attempt integer not null,
  started real not null, duration real not null, is_masked integer not null,
  trace_id text, parent_id text, links text,
  event text not null, payload text not null, result text not null, logs text not null, rest blob
) strict;
create index invocations_by_fact on invocations (fact, id, started, duration);
${traceIndexes}
`

/** Adds the traces to the layout before. */
const fourthLayout = `
alter table invocations add column trace_id text;
alter table invocations add column parent_id text;
alter table invocations add column links text;
${traceIndexes}
`

/** Returns the number of pages that hold data. */
export function usedPages(database: DatabaseSync): () => number {
  const pages = database.prepare(
    'select page_count - freelist_count as pages from pragma_page_count, pragma_freelist_count',
  )
  return () => (pages.get() as { readonly pages: number }).pages
}

/**
 * Prepares a database for entries. The entries of earlier layouts are deleted.
 * @param notice is called with a sentence when entries were deleted
 * @throws UnknownLayoutError for a later layout
 */
export function prepareDatabase(database: DatabaseSync, notice: (text: string) => void): void {
  // The time-out is set first, because another process may be preparing the same database.
  database.exec('pragma busy_timeout = 5000')
  const isNew = layoutOf(database, 'The invocations', version) < version
  // These work only for a new file. Larger pages take less processor time, and `auto_vacuum` lets a log with a lowered
  // limit return its pages to the disk.
  if (isNew) database.exec('pragma page_size = 16384; pragma auto_vacuum = incremental')
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 1000')
  if (!isNew) return
  const pages = usedPages(database)
  database.exec('begin immediate')
  try {
    const found = layoutOf(database, 'The invocations', version)
    if (found === 3) {
      database.exec(`${fourthLayout} pragma user_version = ${version}`)
    } else if (found < version) {
      const lastId = found === 0 ? 0 : lastIdOfEarlier(database)
      for (const name of earlierTables) database.exec(`drop table if exists ${name}`)
      const before = pages()
      database.exec(tables)
      database
        .prepare('insert into invocation_log (last_id, indexed, pages) values (?, ?, ?)')
        .run(lastId, lastId + 1, pages() - before)
      database.exec(`pragma user_version = ${version}`)
      if (lastId > 0) notice(restartedLog(lastId))
    }
    database.exec('commit')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function lastIdOfEarlier(database: DatabaseSync): number {
  const row = database.prepare(`select seq from sqlite_sequence where name = 'blocks'`).get()
  return (row as { readonly seq: number } | undefined)?.seq ?? 0
}
