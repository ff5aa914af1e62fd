import {
  type EntryAbout,
  type InvocationLog,
  type InvocationLogEntry,
  passes,
} from '@signalbox/platform-runtime/invocation-log'
import type { Query } from '../database.ts'
import { entryOf, filterCondition, type InvocationRow } from './invocation-rows.ts'

/** The maximum number of entries that one statement of a scan reads. */
const step = 5000

/** Milliseconds after which a search ends early. */
const searchTime = 150

/**
 * Reads the entries of all platforms.
 * @param flush writes the waiting entries of this platform
 */
export function logReads(
  query: Query,
  flush: () => Promise<void>,
): Pick<InvocationLog, 'list' | 'get' | 'search' | 'scan'> {
  return {
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
          // The severity of entries of an earlier version is what their verdict alone says, as in a scan.
          if (entries.length <= last && passes(entry, { ...filters, severities: undefined }))
            entries.push(entry)
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
        severity: 'ok',
      }
      for (let [time, after] = [from, 0]; ; ) {
        const rows = await query<Row>(
          `select id, function, source, family, generation, started, duration, verdict, is_ok, severity from logged_invocations
          where started >= $1 and started < $2 and (started, id) > ($1, $3) order by started, id limit ${step}`,
          [time, to, after],
        )
        for (const row of rows) {
          about.functionName = row.function
          about.source = row.source
          about.family = row.family ?? undefined
          about.generation = row.generation
          about.verdict = row.verdict === null ? undefined : { kind: row.verdict, ok: row.is_ok }
          about.severity = row.severity
          visit(about, row.started, row.duration)
        }
        if (rows.length < step) return
        const { started, id } = rows.at(-1)!
        time = started
        after = id
      }
    },
  }
}
