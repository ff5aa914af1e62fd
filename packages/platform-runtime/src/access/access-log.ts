import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import { hasDatabase, openForReading } from '../storage/database-files.ts'

/** An operation that a client did or tried to do. */
export interface AccessRecord {
  /** The name of the identity. Undefined for a client that did not prove who it is. */
  readonly identity: string | undefined
  /** The part of the platform, such as `queues`. */
  readonly source: string
  /** The name of the operation, such as `SendMessage`. */
  readonly operation: string
  /** The name of the resource. Undefined for an operation without one, and before it is known. */
  readonly resource: string | undefined
  /** `allowed`, `denied` for a missing right, or what was wrong, such as `InvalidSignature`. */
  readonly result: string
  /** The address of the client. */
  readonly address: string
}

/** Equal records of one minute. */
export interface AccessLogEntry extends AccessRecord {
  readonly id: number
  /** Milliseconds since the epoch: the first and the last time. */
  readonly first: number
  readonly last: number
  readonly count: number
}

/** The record of the operations of clients. */
export interface AccessLog {
  /** Adds a record, which is written within a second. Returns at once and never throws. */
  readonly add: (record: AccessRecord) => void
  /** Returns the latest entries, the oldest of them first. */
  readonly read: (query?: AccessLogQuery) => readonly AccessLogEntry[]
  readonly close: () => void
}

/** Milliseconds until records are written, and milliseconds whose equal records become one entry. */
const [flushDelay, bucket] = [1000, 60_000]

/** The maximum number of different records in a second. Others become one record without details. */
const variety = 2000

/** The maximum number of entries, and how many are deleted at a time. */
const [entriesLimit, slack] = [200_000, 1000]

const textLimit = 256

const layout = `create table if not exists access_log (
  id integer primary key autoincrement, minute integer not null, first integer not null, last integer not null,
  count integer not null, identity text not null, source text not null, operation text not null,
  resource text not null, result text not null, address text not null,
  unique (minute, identity, source, operation, resource, result, address)
) strict`

interface Counted {
  readonly record: AccessRecord
  readonly first: number
  last: number
  count: number
}

/**
 * Opens the access log in the database of the invocation log.
 * @param age milliseconds for which entries are kept
 */
export function localAccessLog(
  database: DatabaseSync,
  {
    age,
    clock,
    notice,
  }: { readonly age: number; readonly clock: Clock; readonly notice: (text: string) => void },
): AccessLog {
  database.exec('pragma busy_timeout = 5000')
  database.exec(layout)
  const insert = database.prepare(
    `insert into access_log (minute, first, last, count, identity, source, operation, resource, result, address)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set last = max(last, excluded.last), count = count + excluded.count`,
  )
  const deleteOld = database.prepare(
    'delete from access_log where last < ? or id <= (select max(id) from access_log) - ?',
  )
  let gathered = new Map<string, Counted>()
  let cancel: (() => void) | undefined
  let isFailing = false
  let written = 0

  const flush = () => {
    cancel?.()
    cancel = undefined
    const all = gathered
    gathered = new Map()
    try {
      database.exec('begin immediate')
      try {
        for (const { record, first, last, count } of all.values())
          insert.run(
            Math.floor(first / bucket),
            first,
            last,
            count,
            record.identity ?? '',
            record.source,
            record.operation.slice(0, textLimit),
            (record.resource ?? '').slice(0, textLimit),
            record.result,
            record.address,
          )
        written += all.size
        if (written >= slack) {
          written = 0
          deleteOld.run(clock.now() - age, entriesLimit)
        }
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
      isFailing = false
    } catch (error) {
      if (!isFailing)
        notice(`The access log cannot be written, and misses entries: ${(error as Error).message}`)
      isFailing = true
    }
  }

  return {
    add(record) {
      const known = gathered.size < variety
      const kept = known
        ? record
        : { ...record, identity: undefined, resource: undefined, address: 'several' }
      const { identity = '', source, operation, resource = '', result, address } = kept
      const name = `${identity}\n${source}\n${operation}\n${resource}\n${result}\n${address}`
      const now = clock.now()
      const same = gathered.get(name)
      if (same === undefined) gathered.set(name, { record: kept, first: now, last: now, count: 1 })
      else {
        same.count++
        same.last = now
      }
      cancel ??= clock.after(flushDelay, flush)
    },
    read(query) {
      if (gathered.size > 0) flush()
      return selectEntries(database, query)
    },
    close() {
      if (gathered.size > 0) flush()
      cancel?.()
      database.close()
    },
  }
}

/** Selects entries of the access log. */
export interface AccessLogQuery {
  readonly identity?: string | undefined
  readonly source?: string | undefined
  /** Part of the operation, the resource or the address. */
  readonly text?: string | undefined
  /** Only refused requests. */
  readonly refused?: boolean
  /** The maximum number of entries to return: the latest ones. Default 100. */
  readonly last?: number
}

/**
 * Returns the entries in a data directory, the latest last, whether a platform is writing to it or not.
 * @param name the database of the invocation log
 */
export function readLocalAccessLog(
  dataDir: string,
  name: string,
  query: AccessLogQuery = {},
): readonly AccessLogEntry[] {
  const database = hasDatabase(dataDir, name) ? openForReading(dataDir, name) : undefined
  if (database === undefined) return []
  try {
    if (database.prepare("select 1 from sqlite_schema where name = 'access_log'").get() === undefined)
      return []
    return selectEntries(database, query)
  } finally {
    database.close()
  }
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
