import type { DatabaseSync } from 'node:sqlite'
import { damageReporter } from '../../storage/damaged-file.ts'
import { freeSpaceOf } from '../../storage/free-space.ts'
import { logTime } from '../../storage/log-time.ts'
import { transactions } from '../../storage/transactions.ts'
import type { AccessLogEntry, AccessLogQuery } from '../access-record.ts'
import type { AccessStoreOptions } from '../access-storage.ts'
import { type AccessLogTable, accessLogLimits, minuteOf } from '../access-tables.ts'

const layout = `create table if not exists access_log (
  id integer primary key autoincrement, minute integer not null, first integer not null, last integer not null,
  count integer not null, identity text not null, source text not null, operation text not null,
  resource text not null, result text not null, address text not null,
  unique (minute, identity, source, operation, resource, result, address)
) strict`

const damage = damageReporter('The entries of the access log', 'Move the file away, and a new log begins.')

/** The approximate size of an entry in bytes. */
const rowSize = 300

/** Creates the access log in the database of the invocation log, unless it already exists. */
export function layOutAccessLog(database: DatabaseSync): void {
  // As in the invocation log, commits do not wait for the disk, because records wait a second in memory anyway.
  database.exec('pragma busy_timeout = 5000; pragma synchronous = normal')
  database.exec(layout)
}

/**
 * Opens the access log in the database of the invocation log.
 * @throws DamagedFileError, also when the log is used
 */
export function accessLogTable(
  database: DatabaseSync,
  options: AccessStoreOptions,
  measure = freeSpaceOf,
): AccessLogTable {
  return damage.open(database, () => openAccessLog(database, options, measure))
}

function openAccessLog(
  database: DatabaseSync,
  { age, clock }: AccessStoreOptions,
  measure: typeof freeSpaceOf,
): AccessLogTable {
  layOutAccessLog(database)
  const inTransaction = transactions(
    database,
    options => new Error('the disk is full', options),
    measure(database),
  )
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
      const all = written + counts.length
      const prunes = all >= accessLogLimits.pruneEvery
      const prune = () => deleteOld.run(logTime(clock) - age, accessLogLimits.entries)
      try {
        inTransaction(
          () => {
            for (const {
              first,
              last,
              count,
              identity = '',
              source,
              operation,
              resource = '',
              ...rest
            } of counts)
              insert.run(
                minuteOf(first),
                ...[first, last, count],
                ...[identity, source, operation, resource, rest.result, rest.address],
              )
            if (prunes) prune()
          },
          { kind: 'log', bytes: counts.length * rowSize },
        )
      } catch (error) {
        // Old entries make place for later attempts.
        inTransaction(prune, 'essential')
        throw error
      }
      written = prunes ? 0 : all
    },
    read: async query => selectEntries(database, query),
  }
}

/**
 * Returns the entries of the access log. The list is empty if the database does not contain an access log yet.
 * @throws DamagedFileError
 */
export function readAccessLogTable(
  database: DatabaseSync,
  query: AccessLogQuery = {},
): readonly AccessLogEntry[] {
  return damage.run(database, () => {
    const table = database.prepare("select 1 from sqlite_schema where name = 'access_log'").get()
    return table === undefined ? [] : selectEntries(database, query)
  })
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
