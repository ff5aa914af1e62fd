import type { DatabaseSync } from 'node:sqlite'
import type { LogLine } from '../invoker/invoker.ts'
import type { Entry, JournalQuery } from './entry.ts'

// `bytes` stands early, so that summing it up reads no texts.
const layout = `
create table if not exists invocations (
  id integer primary key autoincrement,
  bytes integer not null,
  started integer not null,
  duration real not null,
  request_id text not null,
  function text not null,
  family text,
  source text not null,
  attempt integer not null,
  generation integer not null,
  masked integer not null,
  failure_kind text,
  failure_message text,
  verdict_kind text,
  verdict_ok integer,
  verdict_text text,
  event text not null,
  payload text not null,
  logs text not null
) strict`

const columns =
  'bytes, started, duration, request_id, function, family, source, attempt, generation, masked, failure_kind, failure_message, verdict_kind, verdict_ok, verdict_text, event, payload, logs'

type Row = {
  readonly [column: string]: string | number | null
}

/** What the rows beside the texts take up, roughly. */
const rowSize = 200

/** The table of invocations in a database, which is laid out when it is not there. */
export function openJournalFile(database: DatabaseSync) {
  // Rows of a kilobyte and more go into larger pages a third faster.
  database.exec('pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal')
  database.exec('pragma busy_timeout = 5000; pragma wal_autocheckpoint = 1000')
  database.exec(layout)
  const places = columns.replaceAll(/\w+/g, '?')
  const insert = database.prepare(`insert into invocations (${columns}) values (${places})`)
  // Sums of many rows are cheap, sums up to each row are not: these are asked for in the last step only.
  const step = database.prepare(
    'select max(id) as id, total(bytes) as bytes from (select id, bytes from invocations where id > ? order by id limit 256)',
  )
  const lastStep = database.prepare(
    `select min(id) as id, freed from (
      select id, sum(bytes) over (order by id) as freed
      from (select id, bytes from invocations where id > ? order by id limit 256)
    ) where freed >= ?`,
  )
  const deleteUpTo = database.prepare('delete from invocations where id <= ?')
  const expired = database.prepare(
    'select max(id) as id, total(bytes) as bytes from invocations where id < coalesce((select min(id) from invocations where started >= ?), 9e18)',
  )
  const one = database.prepare('select * from invocations where id = ?')
  const some = database.prepare(
    'select * from (select * from invocations where id > ? and (?2 is null or function = ?2) order by id desc limit ?) order by id',
  )

  return {
    size: () =>
      Number((database.prepare('select total(bytes) as bytes from invocations').get() as Row).bytes),

    insert(entries: readonly Omit<Entry, 'id'>[]): {
      readonly ids: readonly number[]
      readonly size: number
    } {
      const ids: number[] = []
      let size = 0
      database.exec('begin immediate')
      try {
        for (const entry of entries) {
          const logs = entry.logs.length === 0 ? '' : JSON.stringify(entry.logs)
          const bytes = rowSize + entry.event.length + entry.payload.length + logs.length
          const { lastInsertRowid } = insert.run(
            bytes,
            entry.started,
            entry.duration,
            entry.requestId,
            entry.functionName,
            entry.family ?? null,
            entry.source,
            entry.attempt,
            entry.generation,
            entry.masked ? 1 : 0,
            entry.failure?.kind ?? null,
            entry.failure?.message ?? null,
            entry.verdict?.kind ?? null,
            entry.verdict === undefined ? null : Number(entry.verdict.ok),
            entry.verdict?.text ?? null,
            entry.event,
            entry.payload,
            logs,
          )
          ids.push(Number(lastInsertRowid))
          size += bytes
        }
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
      return { ids, size }
    },

    /** Deletes the oldest until so many bytes are free; answers how many are. */
    deleteOldest(bytes: number): number {
      let last = 0
      let freed = 0
      for (;;) {
        const next = step.get(last) as Row
        if (next.id === null || freed + Number(next.bytes) >= bytes) break
        last = Number(next.id)
        freed += Number(next.bytes)
      }
      const rest = lastStep.get(last, bytes - freed) as Row
      if (rest.id !== null) {
        last = Number(rest.id)
        freed += Number(rest.freed)
      }
      deleteUpTo.run(last)
      return freed
    },

    /** Deletes what started before a time; answers how many bytes that frees. */
    deleteBefore(time: number): number {
      const { id, bytes } = expired.get(time) as Row
      if (id === null) return 0
      deleteUpTo.run(id!)
      return Number(bytes)
    },

    list({ after = 0, functionName, last = 100 }: JournalQuery): readonly Entry[] {
      return (some.all(after, functionName ?? null, last) as Row[]).map(entryOf)
    },

    get(id: number): Entry | undefined {
      const row = one.get(id) as Row | undefined
      return row && entryOf(row)
    },
  }
}

function entryOf(row: Row): Entry {
  return {
    id: Number(row.id),
    requestId: String(row.request_id),
    functionName: String(row.function),
    source: String(row.source),
    family: row.family === null ? undefined : String(row.family),
    attempt: Number(row.attempt),
    generation: Number(row.generation),
    started: Number(row.started),
    duration: Number(row.duration),
    event: String(row.event),
    payload: String(row.payload),
    failure:
      row.failure_kind === null
        ? undefined
        : { kind: row.failure_kind as never, message: String(row.failure_message) },
    verdict:
      row.verdict_kind === null
        ? undefined
        : { kind: String(row.verdict_kind), ok: row.verdict_ok === 1, text: String(row.verdict_text) },
    logs: row.logs === '' ? [] : (JSON.parse(String(row.logs)) as LogLine[]),
    masked: row.masked === 1,
  }
}
