import {
  aboutOf,
  type InvocationLog,
  partsOf,
  rootOf,
  searchSpans,
  traceLimit,
} from '@signalbox/platform-runtime/invocation-log'
import type { Query } from '../database.ts'
import { entryOf, filterCondition, type StoredRow } from './invocation-rows.ts'

/** The maximum number of entries that one statement of a scan reads. */
const step = 5000

/**
 * Reads the entries of all platforms.
 * @param flush writes the waiting entries of this platform
 */
export function logReads(
  query: Query,
  flush: () => Promise<void>,
): Pick<InvocationLog, 'list' | 'get' | 'search' | 'scan' | 'trace'> {
  return {
    async list({ after = 0, functionName, last = 100 } = {}) {
      await flush()
      const of = functionName === undefined ? '' : 'and function = $3'
      const values = functionName === undefined ? [after, last] : [after, last, functionName]
      const rows = await query<StoredRow>(
        `select * from logged_invocations where id > $1 ${of} order by id desc limit $2`,
        values,
      )
      return rows.map(entryOf).reverse()
    },

    async get(id) {
      await flush()
      const [row] = await query<StoredRow>('select * from logged_invocations where id = $1', [id])
      return row && entryOf(row)
    },

    async trace(traceId) {
      await flush()
      const { rest, from, to } = rootOf(traceId)
      const rows = await query<StoredRow>(
        `select * from logged_invocations where trace_id = $1 or (links is not null and position($1 in links) > 0)
          or (trace_id is null and substr(request_id, 10) = $2 and started >= $3 and started < $4)
        order by id limit $5`,
        [traceId, rest, from, to, traceLimit],
      )
      return rows.map(entryOf)
    },

    async search(search) {
      await flush()
      const [ids] = await query<{ lowest: number | null; highest: number | null }>(
        'select min(id) as lowest, max(id) as highest from logged_invocations',
      )
      const end = Math.min(search.before ?? Number.POSITIVE_INFINITY, (ids!.highest ?? 0) + 1)
      const { condition, values } = filterCondition(search, 4)
      return searchSpans(search, partsOf({ from: ids!.lowest ?? end, to: end }), async ({ from, to }) => {
        // An entry that passes the condition may still fail the exact check, so a text search reads all of them.
        const limit = search.text === undefined ? search.last + 1 : to - from
        const rows = await query<StoredRow>(
          `select * from logged_invocations where id >= $1 and id < $2 and ${condition} order by id desc limit $3`,
          [from, to, limit, ...values],
        )
        return rows.map(entryOf)
      })
    },

    async scan({ from, to, functionName }, visit) {
      await flush()
      const of = functionName === undefined ? '' : 'and function = $4'
      const name = functionName === undefined ? [] : [functionName]
      for (let [time, after] = [from, 0]; ; ) {
        const rows = await query<StoredRow>(
          `select id, function, source, family, generation, started, duration, verdict, is_ok, severity from logged_invocations
          where started >= $1 and started < $2 and (started, id) > ($1, $3) ${of} order by started, id limit ${step}`,
          [time, to, after, ...name],
        )
        for (const row of rows)
          visit(aboutOf({ ...row, is_ok: row.is_ok ? 1 : 0 }), row.started, row.duration)
        if (rows.length < step) return
        const { started, id } = rows.at(-1)!
        time = started
        after = id
      }
    },
  }
}
