import {
  conditionsOf,
  entryOf as entryOfRow,
  type InvocationFilters,
  type InvocationLogEntry,
  type InvocationRow,
  joined,
  sizeOf,
} from '@signalbox/platform-runtime/invocation-log'

/** A row of the table, as the database returns it. */
export type StoredRow = Omit<InvocationRow, 'is_ok' | 'is_masked'> & {
  readonly id: number
  readonly is_ok: boolean
  readonly is_masked: boolean
}

/** The columns of a row without its id. */
export const columns = `request_id, function, source, family, attempt, generation, started, duration, verdict, is_ok,
  severity, is_masked, size, event, payload, result, logs, rest, trace_id, parent_id, links`

/** The columns of a row, for `json_to_recordset`. */
export const recordColumns = `request_id text, function text, source text, family text, attempt integer,
  generation integer, started double precision, duration double precision, verdict text, is_ok boolean,
  severity text, is_masked boolean, size integer, event text, payload text, result text, logs text, rest bytea,
  trace_id text, parent_id text, links text`

/** Converts a row to the record that `json_to_recordset` reads. */
export function recordOf(row: InvocationRow) {
  const { is_ok, is_masked, rest } = row
  return {
    ...row,
    is_ok: is_ok === 1,
    is_masked: is_masked === 1,
    size: sizeOf(row),
    rest: rest === null ? null : `\\x${Buffer.from(rest).toString('hex')}`,
  }
}

/** Converts a row of the table to its entry. */
export function entryOf(row: StoredRow): InvocationLogEntry {
  return entryOfRow({ ...row, is_ok: row.is_ok ? 1 : 0, is_masked: row.is_masked ? 1 : 0 })
}

/**
 * Returns an SQL condition that is true for every row whose entry passes the filters, and possibly for other rows.
 * @param first the number of the first SQL parameter in the condition
 */
export function filterCondition(filters: InvocationFilters, first: number) {
  const isOneOf = (column: string, list: readonly string[]) => ({ sql: `${column} = any(?)`, values: [list] })
  const { facts, own } = conditionsOf(filters, isOneOf, column => `position(? in ${column}) > 0`)
  const { sql, values } = joined<unknown>([...facts, ...own])
  let number = first
  return { condition: sql.replaceAll('?', () => `$${number++}`), values }
}
