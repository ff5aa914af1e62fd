import type { DatabaseSync } from 'node:sqlite'
import { rollBack } from '../../storage/transactions.ts'
import type { AccessLogEntry, AccessLogQuery } from '../access-record.ts'
import type { AccessStoreOptions } from '../access-storage.ts'
import { type AccessLogTable, accessLogLimits, minuteOf } from '../access-tables.ts'

const layout = `create table if not exists access_log (
  id integer primary key autoincrement, minute integer not null, first integer not null, last integer not null,
  count integer not null, identity text not null, source text not null, operation text not null,
  resource text not null, result text not null, address text not null,
  unique (minute, identity, source, operation, resource, result, address)
) strict`

/** Creates the access log in the database of the invocation log, unless it already exists. */
export function layOutAccessLog(database: DatabaseSync): void {
  // As in the invocation log, commits do not wait for the disk, because records wait a second in memory anyway.
  database.exec('pragma busy_timeout = 5000; pragma synchronous = normal')
  database.exec(layout)
}

/** Opens the access log in the database of the invocation log. */
export function accessLogTable(database: DatabaseSync, { age, clock }: AccessStoreOptions): AccessLogTable {
  layOutAccessLog(database)
  const insert = database.prepare(
    `insert into access_log (minute, first, last, count, identity, source, operation, resource, result, address)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set last = max(last, excluded.last), count = count + excluded.count`,
  )
  const deleteOld = database.prepare(
    'delete from access_log where last < ? or id <= (select max(id) from access_log) - ?',
  )
  let written = 0

  return {
    // The statements run synchronously, so no other work can come between them.
    async write(counts) {
      database.exec('begin immediate')
      try {
        for (const { first, last, count, identity = '', source, operation, resource = '', ...rest } of counts)
          insert.run(
            minuteOf(first),
            ...[first, last, count],
            ...[identity, source, operation, resource, rest.result, rest.address],
          )
        if (written + counts.length >= accessLogLimits.pruneEvery)
          deleteOld.run(clock.now() - age, accessLogLimits.entries)
        database.exec('commit')
        written = (written + counts.length) % accessLogLimits.pruneEvery
      } catch (error) {
        rollBack(database)
        throw error
      }
    },
    read: async query => selectEntries(database, query),
  }
}

/** Returns the entries of the access log. The list is empty if the database does not contain an access log yet. */
export function readAccessLogTable(
  database: DatabaseSync,
  query: AccessLogQuery = {},
): readonly AccessLogEntry[] {
  const table = database.prepare("select 1 from sqlite_schema where name = 'access_log'").get()
  return table === undefined ? [] : selectEntries(database, query)
}

function selectEntries(
  database: DatabaseSync,
  { identity, source, text, refused = false, last = 100 }: AccessLogQuery = {},
): readonly AccessLogEntry[] {
  const conditions: readonly (readonly [string, string | undefined])[] = [
    ['identity = ?', identity],
    ['source = ?', source],
    ["instr(operation || ' ' || resource || ' ' || address, ?) > 0", text],
  ]
  const used = conditions.filter(([, value]) => value !== undefined)
  const where = [
    '1 = 1',
    ...used.map(([condition]) => condition),
    ...(refused ? ["result <> 'allowed'"] : []),
  ]
  const rows = database
    .prepare(`select * from access_log where ${where.join(' and ')} order by last desc, id desc limit ?`)
    .all(...used.map(([, value]) => value!), last) as unknown as readonly AccessLogEntry[]
  return rows
    .map(({ id, first, last, count, source, operation, result, address, ...row }) => ({
      ...{ id, first, last, count, source, operation, result, address },
      identity: row.identity || undefined,
      resource: row.resource || undefined,
    }))
    .reverse()
}
