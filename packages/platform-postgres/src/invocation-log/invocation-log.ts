import type {
  InvocationLog,
  InvocationLogEntry,
  InvocationLogOptions,
} from '@signalbox/platform-runtime/invocation-log'
import type { Database } from '../database.ts'
import { DatabaseUnavailableError } from '../database-error.ts'
import { recordColumns, rowOf } from './invocation-rows.ts'
import { logLimits } from './log-limits.ts'
import { logReads } from './log-reads.ts'
import { waitingEntries } from './waiting-entries.ts'

/** Milliseconds that an entry waits for more entries, so that one statement writes them together. */
const flushDelay = 25

/** Milliseconds between attempts to write entries while the database is unreachable. */
const retryDelay = 1000

const insert = `
with log as (update invocation_log set last_id = last_id + $1, size = size + $2 returning last_id),
rows as (select * from json_to_recordset($3) as r(at bigint, ${recordColumns}))
insert into logged_invocations (id, request_id, function, source, family, attempt, generation, started, duration, verdict, is_ok,
  severity, is_masked, size, event, other)
select last_id - $1 + at, request_id, function, source, family, attempt, generation, started, duration, verdict, is_ok,
  severity, is_masked, size, event, other from log, rows order by at
returning id`

/**
 * Opens the invocation log of all platforms that share a database. An entry can occur twice, because it is written
 * again when the answer of the database is lost.
 */
export function invocationLog(
  database: Database,
  { limits, clock, onWritten, notice }: InvocationLogOptions,
): InvocationLog {
  const { query } = database
  const waiting = waitingEntries()
  const applyLimits = logLimits(query, { limits, clock })
  const watchers = new Set(onWritten === undefined ? [] : [onWritten])
  let cancelFlush: (() => void) | undefined
  let writing: Promise<void> | undefined
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

  const writeAll = async () => {
    while (!waiting.isEmpty()) {
      const entries = await waiting.nextBatch()
      const rows = entries.map((entry, position) => ({ at: position + 1, ...rowOf(entry) }))
      const size = rows.reduce((sum, row) => sum + row.size, 0)
      let ids: readonly { readonly id: number }[]
      try {
        ids = await query<{ id: number }>(insert, [rows.length, size, JSON.stringify(rows)])
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error
        // These entries are not written again, because the database would refuse them again.
        waiting.remove(entries.length)
        reportLoss((error as Error).message)
        continue
      }
      waiting.remove(entries.length)
      isFailing = false
      if (watchers.size > 0)
        for (const [position, entry] of entries.entries()) notifyWritten({ ...entry, id: ids[position]!.id })
    }
    await applyLimits()
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
    if (!waiting.isEmpty()) await write()
  }

  return {
    append(entry) {
      if (closed) return
      if (!waiting.add(entry)) return reportLoss('more of them come than can be written')
      if (waiting.isBatchFull()) void write()
      else cancelFlush ??= clock.after(flushDelay, () => void write())
    },

    ...logReads(query, flush),
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
