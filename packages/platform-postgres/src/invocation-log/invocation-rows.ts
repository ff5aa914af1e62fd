import {
  type InvocationFilters,
  type InvocationLogEntry,
  type maskedEntry,
  type Severity,
  severityOf,
} from '@signalbox/platform-runtime/invocation-log'

/** An entry without its id. */
export type UnnumberedEntry = ReturnType<typeof maskedEntry>

/** A row of the table. The column `other` contains the remaining strings of the entry. */
export interface InvocationRow {
  readonly id: number
  readonly request_id: string
  readonly function: string
  readonly source: string
  readonly family: string | null
  readonly attempt: number
  readonly generation: number
  readonly started: number
  readonly duration: number
  readonly verdict: string | null
  readonly is_ok: boolean
  readonly severity: Severity
  readonly is_masked: boolean
  readonly size: number
  readonly event: string
  /** The remaining strings of the entry, as the JSON text of an `Other` object. */
  readonly other: string
}

type Other = readonly [
  payload: string,
  logs: InvocationLogEntry['logs'],
  failure: InvocationLogEntry['failure'] | null,
  verdict: string | null,
]

/** The approximate size in bytes of an entry without its strings. */
const ownSize = 200

/** Converts an entry to the columns of a table row. */
export function rowOf(entry: UnnumberedEntry): Omit<InvocationRow, 'id'> {
  const { event, payload, logs, failure, verdict } = entry
  const other: Other = [payload, logs, failure ?? null, verdict?.text ?? null]
  const text = JSON.stringify(other)
  return {
    request_id: entry.requestId,
    function: entry.functionName,
    source: entry.source,
    family: entry.family ?? null,
    attempt: entry.attempt,
    generation: entry.generation,
    started: entry.started,
    duration: entry.duration,
    verdict: verdict?.kind ?? null,
    is_ok: verdict?.ok === true,
    severity: severityOf(entry),
    is_masked: entry.masked,
    size: ownSize + event.length + text.length,
    event,
    other: text,
  }
}

/** Converts a table row to an entry. */
export function entryOf(row: InvocationRow): InvocationLogEntry {
  const [payload, logs, failure, verdict] = JSON.parse(row.other) as Other
  return {
    id: row.id,
    requestId: row.request_id,
    functionName: row.function,
    source: row.source,
    family: row.family ?? undefined,
    attempt: row.attempt,
    generation: row.generation,
    started: row.started,
    duration: row.duration,
    event: row.event,
    payload,
    failure: failure ?? undefined,
    verdict: row.verdict === null ? undefined : { kind: row.verdict, ok: row.is_ok, text: verdict! },
    logs,
    masked: row.is_masked,
  }
}

/** The columns of an entry, for `json_to_recordset`. */
export const recordColumns = `request_id text, function text, source text, family text, attempt integer,
  generation integer, started double precision, duration double precision, verdict text, is_ok boolean,
  severity text, is_masked boolean, size integer, event text, other text`

/**
 * Returns an SQL condition that is true for every row whose entry passes the filters, and possibly for other rows. If
 * the text filter contains characters that JSON escapes, the condition searches for its longest part without them.
 * @param first the number of the first SQL parameter in the condition
 */
export function filterCondition(
  { functions, sources, families, verdicts, severities, requestId, text, from, to }: InvocationFilters,
  first: number,
): { readonly condition: string; readonly values: readonly unknown[] } {
  const values: unknown[] = []
  const conditions = ['true']
  const add = (value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return
    conditions.push(condition(`$${first + values.length}`))
    values.push(value)
  }
  add(functions, list => `function = any(${list})`)
  add(sources, list => `source = any(${list})`)
  add(families, list => `coalesce(family, '') = any(${list})`)
  add(verdicts, list => `coalesce(verdict, 'none') = any(${list})`)
  add(severities, list => `severity = any(${list})`)
  add(requestId, id => `request_id = ${id}`)
  add(from, time => `started >= ${time}`)
  add(to, time => `started < ${time}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
  const parts = text?.split(/["\\\u0000-\u001f\ud800-\udfff]/) ?? []
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '')
  if (longest !== '')
    add(longest, part => `(position(${part} in event) > 0 or position(${part} in other) > 0)`)
  return { condition: conditions.join(' and '), values }
}
