import { setImmediate } from 'node:timers/promises'
import {
  type EntryAbout,
  type InvocationLog,
  type InvocationLogEntry,
  type InvocationLogOptions,
  maskedEntry,
  minimalEntry,
  type NewInvocationLogEntry,
  passes,
  trimmedEntry,
} from '@signalbox/platform-runtime/invocation-log'
import type { Database } from '../database.ts'
import { DatabaseUnavailableError } from '../database-error.ts'
import { entryOf, filterCondition, type InvocationRow, recordColumns, rowOf } from './invocation-rows.ts'

/** Milliseconds that an entry waits for more entries, so that one statement writes them together. */
const flushDelay = 25

/** The size of the waiting entries, in bytes, above which new entries are shortened. */
const trimAbove = 4 * 1024 * 1024
/** The size of the waiting entries, in bytes, above which new entries are dropped. */
const dropAbove = 16 * 1024 * 1024

/** The maximum number of entries in one insert statement. */
const entriesPerStatement = 500
/** The maximum size of the entries in one insert statement, in bytes. */
const bytesPerStatement = 1024 * 1024

/** Milliseconds for which masking may run before it lets other work of the process run. */
const maskingTurn = 10

/** Milliseconds between attempts to write entries while the database is unreachable. */
const retryDelay = 1000

/** Milliseconds between two searches for entries that are too old. */
const ageCheckInterval = 60_000

/** The maximum number of entries that one statement deletes or reads. */
const step = 5000

/** Milliseconds after which a search ends early. */
const searchTime = 150

const insert = `
with log as (update invocation_log set last_id = last_id + $1, size = size + $2 returning last_id),
rows as (select * from json_to_recordset($3) as r(at bigint, ${recordColumns}))
insert into logged_invocations (id, request_id, function, source, family, attempt, generation, started, duration, verdict, is_ok,
  has_failed, is_masked, size, event, other)
select last_id - $1 + at, request_id, function, source, family, attempt, generation, started, duration, verdict, is_ok,
  has_failed, is_masked, size, event, other from log, rows order by at
returning id`

const deleteOldest = `
with old as (select id, size, sum(size) over (order by id) as until from logged_invocations order by id limit ${step}),
gone as (delete from logged_invocations where id in (select id from old where until - size < $1) returning size)
update invocation_log set size = invocation_log.size - (select coalesce(sum(size), 0) from gone)
returning size, (select count(*) from gone) as gone`

const deleteOld = `
with old as (select id from logged_invocations where started < $1 order by started limit ${step}),
gone as (delete from logged_invocations where id in (select id from old) returning size)
update invocation_log set size = invocation_log.size - (select coalesce(sum(size), 0) from gone)
returning size, (select count(*) from gone) as gone`

/**
 * Opens the invocation log of all platforms that share a database. An entry may occur twice, because it is written
 * again when the answer of the database is lost.
 */
export function invocationLog(
  database: Database,
  { limits, clock, onWritten, notice }: InvocationLogOptions,
): InvocationLog {
  const { query } = database
  const watchers = new Set(onWritten === undefined ? [] : [onWritten])
  const waiting: NewInvocationLogEntry[] = []
  let waitingSize = 0
  let cancelFlush: (() => void) | undefined
  let writing: Promise<void> | undefined
  let lastAgeCheck = Number.NEGATIVE_INFINITY
  let isFailing = false
  let closed = false

  const notifyWritten = (entry: InvocationLogEntry) => {
    for (const watcher of [...watchers]) {
      try {
        watcher(entry)
      } catch (error) {
        notice(`onInvocation failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const reportLoss = (why: string) => {
    if (!isFailing) notice(`The invocation log cannot be written, and misses entries: ${why}`)
    isFailing = true
  }

  /** Returns the first waiting entries, with their secrets removed. */
  const nextEntries = async () => {
    const entries: ReturnType<typeof maskedEntry>[] = []
    let [size, turn] = [0, performance.now()]
    while (entries.length < waiting.length && entries.length < entriesPerStatement) {
      if (size >= bytesPerStatement) break
      const entry = waiting[entries.length]!
      entries.push(maskedEntry(entry))
      size += sizeOf(entry)
      if (performance.now() - turn < maskingTurn) continue
      await setImmediate()
      turn = performance.now()
    }
    return entries
  }

  const drop = (count: number) => {
    for (const entry of waiting.splice(0, count)) waitingSize -= sizeOf(entry)
  }

  const prune = async (stored: number) => {
    const remove = async (statement: string, limit: number) => {
      const [row] = await query<{ size: number; gone: number }>(statement, [limit])
      return row!
    }
    const now = clock.now()
    let size = stored
    // The difference can be negative, because the clock may have been set back.
    if (Math.abs(now - lastAgeCheck) >= ageCheckInterval) {
      lastAgeCheck = now
      for (let gone = step; gone === step; ) ({ size, gone } = await remove(deleteOld, now - limits.age))
    }
    // Deletes a tenth of the log at once, so that not every insert has to free space.
    const kept = limits.size * 0.9
    if (size > limits.size)
      for (let gone = 1; gone > 0 && size > kept; ) ({ size, gone } = await remove(deleteOldest, size - kept))
  }

  const writeAll = async () => {
    while (waiting.length > 0) {
      const entries = await nextEntries()
      const rows = entries.map((entry, position) => ({ at: position + 1, ...rowOf(entry) }))
      const size = rows.reduce((sum, row) => sum + row.size, 0)
      let ids: readonly { readonly id: number }[]
      try {
        ids = await query<{ id: number }>(insert, [rows.length, size, JSON.stringify(rows)])
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error
        // These entries are not written again, because the database would refuse them again.
        drop(entries.length)
        reportLoss((error as Error).message)
        continue
      }
      drop(entries.length)
      isFailing = false
      if (watchers.size > 0)
        for (const [position, entry] of entries.entries()) notifyWritten({ ...entry, id: ids[position]!.id })
    }
    const [log] = await query<{ size: number }>('select size from invocation_log')
    await prune(log!.size)
  }

  /** Writes the waiting entries. While the database is unreachable, they are kept and written later. */
  const write = (): Promise<void> => {
    cancelFlush?.()
    cancelFlush = undefined
    writing ??= writeAll()
      .catch(error => {
        if (!isFailing) notice(`The invocation log cannot be written now: ${(error as Error).message}`)
        isFailing = true
        if (!closed) cancelFlush ??= clock.after(retryDelay, () => void write())
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  const flush = async () => {
    if (closed) throw new Error('The invocation log is closed: its platform has stopped.')
    await writing
    if (waiting.length > 0) await write()
  }

  return {
    append(entry) {
      if (closed) return
      if (waitingSize > dropAbove) return reportLoss('more of them come than can be written')
      const trimmed = waitingSize > trimAbove ? minimalEntry(entry) : trimmedEntry(entry)
      waiting.push(trimmed)
      waitingSize += sizeOf(trimmed)
      if (waiting.length >= entriesPerStatement) void write()
      else cancelFlush ??= clock.after(flushDelay, () => void write())
    },

    async list({ after = 0, functionName, last = 100 } = {}) {
      await flush()
      const of = functionName === undefined ? '' : 'and function = $3'
      const values = functionName === undefined ? [after, last] : [after, last, functionName]
      const rows = await query<InvocationRow>(
        `select * from logged_invocations where id > $1 ${of} order by id desc limit $2`,
        values,
      )
      return rows.map(entryOf).reverse()
    },

    async get(id) {
      await flush()
      const [row] = await query<InvocationRow>('select * from logged_invocations where id = $1', [id])
      return row && entryOf(row)
    },

    async search({ before, last, ...filters }) {
      await flush()
      const ends = performance.now() + searchTime
      const [first] = await query<{ lowest: number | null; highest: number | null }>(
        'select min(id) as lowest, max(id) as highest from logged_invocations',
      )
      const { condition, values } = filterCondition(filters, 4)
      const entries: InvocationLogEntry[] = []
      let end = Math.min(before ?? Number.POSITIVE_INFINITY, (first!.highest ?? 0) + 1)
      const lowest = first!.lowest ?? end
      // Each statement searches only a part of the log, so that it ends soon even when it finds nothing.
      for (let part = 500; end > lowest && entries.length <= last; part = Math.min(part * 2, 8000)) {
        if (part > 500 && performance.now() > ends) return { entries, before: end }
        const begin = Math.max(lowest, end - part)
        // An entry that passes the condition may still fail the exact check, so a text search reads the whole
        // part.
        const limit = filters.text === undefined ? last - entries.length + 1 : part
        const rows = await query<InvocationRow>(
          `select * from logged_invocations where id >= $1 and id < $2 and ${condition} order by id desc limit $3`,
          [begin, end, limit, ...values],
        )
        for (const row of rows) {
          const entry = entryOf(row)
          if (entries.length <= last && passes(entry, filters)) entries.push(entry)
        }
        end = begin
      }
      if (entries.length <= last) return { entries, before: undefined }
      const page = entries.slice(0, last)
      return { entries: page, before: page.at(-1)?.id ?? entries[0]!.id + 1 }
    },

    async scan({ from, to }, visit) {
      await flush()
      type Row = Omit<InvocationRow, 'event' | 'other' | 'request_id'>
      const about: { -readonly [K in keyof EntryAbout]: EntryAbout[K] } = {
        functionName: '',
        source: '',
        family: undefined,
        generation: 0,
        verdict: undefined,
        failed: false,
      }
      for (let [time, after] = [from, 0]; ; ) {
        const rows = await query<Row>(
          `select id, function, source, family, generation, started, duration, verdict, is_ok, has_failed from logged_invocations
          where started >= $1 and started < $2 and (started, id) > ($1, $3) order by started, id limit ${step}`,
          [time, to, after],
        )
        for (const row of rows) {
          about.functionName = row.function
          about.source = row.source
          about.family = row.family ?? undefined
          about.generation = row.generation
          about.verdict = row.verdict === null ? undefined : { kind: row.verdict, ok: row.is_ok }
          about.failed = row.has_failed
          visit(about, row.started, row.duration)
        }
        if (rows.length < step) return
        const { started, id } = rows.at(-1)!
        time = started
        after = id
      }
    },

    flush,

    watch(watcher) {
      const own = (entry: InvocationLogEntry) => watcher(entry)
      watchers.add(own)
      return () => watchers.delete(own)
    },

    async close() {
      await flush()
      closed = true
      cancelFlush?.()
      watchers.clear()
    },
  }
}

function sizeOf({ event, payload, logs }: NewInvocationLogEntry): number {
  return logs.reduce((sum, { text }) => sum + text.length, 200 + event.length + payload.length)
}
