import type { InvocationLogEntry } from './entry.ts'
import { searchedLength } from './invocation-row.ts'
import { type Severity, severityOf } from './severity.ts'

/**
 * Filters for invocations. An entry has to pass all filters. If a filter is a list, an entry has to match at least one
 * of its values.
 */
export interface InvocationFilters {
  readonly functions?: readonly string[] | undefined
  readonly sources?: readonly string[] | undefined
  readonly families?: readonly string[] | undefined
  /** Kinds of verdicts. `none` selects entries without a verdict. */
  readonly verdicts?: readonly string[] | undefined
  readonly severities?: readonly Severity[] | undefined
  readonly requestId?: string | undefined
  /**
   * A substring of the event, the payload, the logs, the verdict or the failure. Case-sensitive. Only about the first
   * 1024 characters of each of them are searched.
   */
  readonly text?: string | undefined
  /** The earliest start of an entry, in milliseconds since the epoch. */
  readonly from?: number | undefined
  /** The time before which entries started, in milliseconds since the epoch. */
  readonly to?: number | undefined
}

/** A search for invocations, the newest first. */
export interface InvocationSearch extends InvocationFilters {
  /** The id before which the entries end. */
  readonly before?: number | undefined
  /** The maximum number of entries. */
  readonly last: number
}

/** A page of search results. */
export interface InvocationPage {
  /** The entries, the newest first. */
  readonly entries: readonly InvocationLogEntry[]
  /**
   * The value of `before` with which the next search continues this one. Undefined when there are no more entries. A
   * search that takes too long ends early and returns fewer entries.
   */
  readonly before: number | undefined
}

/** Returns whether an entry passes the filters. */
export function passes(entry: Omit<InvocationLogEntry, 'id'>, filters: InvocationFilters): boolean {
  const { functions, sources, families, verdicts, severities, requestId, text, from, to } = filters
  return (
    (functions === undefined || functions.includes(entry.functionName)) &&
    (sources === undefined || sources.includes(entry.source)) &&
    (families === undefined || families.includes(entry.family ?? '')) &&
    (verdicts === undefined || verdicts.includes(entry.verdict?.kind ?? 'none')) &&
    (severities === undefined || severities.includes(severityOf(entry))) &&
    (requestId === undefined || requestId === entry.requestId) &&
    (from === undefined || entry.started >= from) &&
    (to === undefined || entry.started < to) &&
    (text === undefined || holds(entry, text))
  )
}

function holds(
  { event, payload, logs, verdict, failure }: Omit<InvocationLogEntry, 'id'>,
  text: string,
): boolean {
  return (
    isIn(event, text) ||
    isIn(payload, text) ||
    isIn(verdict?.text ?? '', text) ||
    isIn(failure?.message ?? '', text) ||
    logs.some(line => isIn(line.text, text))
  )
}

function isIn(whole: string, text: string): boolean {
  return (whole.length > searchedLength ? whole.slice(0, searchedLength) : whole).includes(text)
}
