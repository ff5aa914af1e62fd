import type { InvocationLogEntry } from './entry.ts'
import { asInJson } from './invocation-row.ts'
import { type InvocationFilters, type InvocationPage, type InvocationSearch, passes } from './search.ts'

/** A range of ids. */
export interface IdSpan {
  /** The first id, inclusive. */
  readonly from: number
  /** The last id, exclusive. */
  readonly to: number
}

/** Milliseconds after which a search ends early. */
const searchTime = 150

/** The number of ids in the first part of a search, and in the largest one. */
const [firstPart, largestPart] = [500, 8000]

/** Splits a range of ids into parts, the last one first, so that a search can end early after each. */
export function* partsOf({ from, to }: IdSpan): Generator<IdSpan> {
  for (let [end, length] = [to, firstPart]; end > from; length = Math.min(length * 2, largestPart)) {
    const begin = Math.max(from, end - length)
    yield { from: begin, to: end }
    end = begin
  }
}

/**
 * Searches ranges of ids, the last one first.
 * @param read returns the entries of a range that pass the filters, and possibly others, the newest first
 */
export async function searchSpans(
  { before: _, last, ...filters }: InvocationSearch,
  spans: Iterable<IdSpan>,
  read: (span: IdSpan) => Iterable<InvocationLogEntry> | Promise<Iterable<InvocationLogEntry>>,
): Promise<InvocationPage> {
  const end = performance.now() + searchTime
  const entries: InvocationLogEntry[] = []
  let isFirst = true
  for (const span of spans) {
    if (!isFirst && performance.now() > end) return { entries, before: span.to }
    isFirst = false
    for (const entry of await read(span)) {
      if (!passes(entry, filters)) continue
      if (entries.length >= last) return { entries, before: entries.at(-1)?.id ?? entry.id + 1 }
      entries.push(entry)
    }
  }
  return { entries, before: undefined }
}

/** A condition in SQL, with a `?` for each of its values. */
interface Condition<Value> {
  readonly sql: string
  readonly values: readonly Value[]
}

/**
 * Returns the conditions that the rows of all entries that pass the filters meet: those about facts that many entries
 * share, and the others. The latter are also met by a few other rows, whose JSON has the text.
 * @param oneOf returns the condition that a column has a value of a list
 * @param contains returns the SQL for a column that contains the text `?`
 */
export function conditionsOf<Value>(
  { functions, sources, families, verdicts, severities, requestId, text, from, to }: InvocationFilters,
  oneOf: (column: string, list: readonly string[]) => Condition<Value>,
  contains: (column: string) => string,
) {
  const lists = {
    ...{ function: functions, source: sources, "coalesce(family, '')": families },
    ...{ "coalesce(verdict, 'none')": verdicts, severity: severities },
  }
  const own: Condition<string | number>[] = []
  if (requestId !== undefined) own.push({ sql: 'request_id = ?', values: [requestId] })
  if (from !== undefined) own.push({ sql: 'started >= ?', values: [from] })
  if (to !== undefined) own.push({ sql: 'started < ?', values: [to] })
  if (text !== undefined)
    own.push({
      sql: `(${['event', 'payload', 'result', 'logs'].map(contains).join(' or ')})`,
      values: [text, text, asInJson(text), asInJson(text)],
    })
  const facts = Object.entries(lists).flatMap(([column, list]) =>
    list === undefined ? [] : [oneOf(column, list)],
  )
  return { facts, own }
}

/** Joins conditions. */
export function joined<Value>(conditions: readonly Condition<Value>[]): Condition<Value> {
  return {
    sql: ['true', ...conditions.map(({ sql }) => sql)].join(' and '),
    values: conditions.flatMap(({ values }) => values),
  }
}
