import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { InvocationLogEntry, LoggedTrace, UnnumberedEntry } from './entry.ts'
import type { EntryAbout } from './scan.ts'
import { type Severity, severityOf } from './severity.ts'

/**
 * The row of an entry without its id, the same in every engine. Of each text, the columns contain the first 1024
 * characters, which SQL can search, and `rest` contains the remainders.
 */
export interface InvocationRow {
  readonly function: string
  readonly source: string
  readonly family: string | null
  readonly generation: number
  /** The kind of the verdict. */
  readonly verdict: string | null
  readonly is_ok: 0 | 1
  readonly severity: Severity
  readonly request_id: string
  readonly attempt: number
  readonly started: number
  readonly duration: number
  readonly is_masked: 0 | 1
  /** Null for an invocation that began a trace. */
  readonly trace_id: string | null
  readonly parent_id: string | null
  /** The trace and the span of each link, such as `TRACE-SPAN TRACE-SPAN`. Null without links. */
  readonly links: string | null
  readonly event: string
  readonly payload: string
  /** The text of the verdict, and the failure. JSON, or empty without both. */
  readonly result: string
  /** The stream and the text of each line, one after the other. JSON, or empty without lines. */
  readonly logs: string
  /** The compressed remainders of the event, payload, result and logs. Null when there are none. */
  readonly rest: Uint8Array | null
}

/** The number of characters of a text that a search reads. */
export const searchedLength = 1024

/** Converts an entry to its row. */
export function rowOf(entry: UnnumberedEntry): InvocationRow {
  const { event, payload, failure, verdict, logs } = entry
  const result = resultText(verdict, failure)
  const lines = logs.length === 0 ? '' : JSON.stringify(logs.flatMap(({ stream, text }) => [stream, text]))
  const row = {
    function: entry.functionName,
    source: entry.source,
    family: entry.family ?? null,
    generation: entry.generation,
    verdict: verdict?.kind ?? null,
    is_ok: verdict?.ok === true ? 1 : 0,
    severity: severityOf(entry),
    request_id: entry.requestId,
    attempt: entry.attempt,
    started: entry.started,
    duration: entry.duration,
    is_masked: entry.masked ? 1 : 0,
    ...traceColumns(entry.trace),
    event: searchedPart(event),
    payload: searchedPart(payload),
    result: searchedPart(result),
    logs: searchedPart(lines),
    rest: null,
  } as const
  const remainders = [
    event.slice(row.event.length),
    payload.slice(row.payload.length),
    result.slice(row.result.length),
    lines.slice(row.logs.length),
  ]
  return remainders.join('') === '' ? row : { ...row, rest: compressed(JSON.stringify(remainders)) }
}

/**
 * Converts a row to its entry.
 * @throws Error when the row is damaged
 */
export function entryOf(row: InvocationRow & { readonly id: number }): InvocationLogEntry {
  const remainders =
    row.rest === null ? [] : (JSON.parse(brotliDecompressSync(row.rest).toString()) as string[])
  const [event = '', payload = '', result = '', lines = ''] = remainders
  const [text, failure] = parsed(row.result + result) as [string | null, InvocationLogEntry['failure']?]
  const logs = parsed(row.logs + lines) as string[]
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
    event: row.event + event,
    payload: row.payload + payload,
    failure,
    verdict: row.verdict === null ? undefined : { kind: row.verdict, ok: row.is_ok === 1, text: text! },
    logs: logs.flatMap((stream, at) =>
      at % 2 === 0 ? [{ stream: stream as 'out' | 'err', text: logs[at + 1]! }] : [],
    ),
    masked: row.is_masked === 1,
    trace: traceIn(row),
  }
}

function traceColumns(
  trace: LoggedTrace | undefined,
): Pick<InvocationRow, 'trace_id' | 'parent_id' | 'links'> {
  if (trace === undefined) return { trace_id: null, parent_id: null, links: null }
  const { traceId, parentId = null, links } = trace
  const list = links.map(link => `${link.traceId}-${link.spanId}`).join(' ')
  return { trace_id: traceId, parent_id: parentId, links: list === '' ? null : list }
}

function traceIn({ trace_id, parent_id, links }: InvocationRow): LoggedTrace | undefined {
  if (trace_id === null) return undefined
  return {
    traceId: trace_id,
    parentId: parent_id ?? undefined,
    links: (links?.split(' ') ?? []).map(link => {
      const [traceId = '', spanId = ''] = link.split('-')
      return { traceId, spanId }
    }),
  }
}

/** The columns with facts that are the same in many rows. */
export const factColumns = [
  ...(['function', 'source', 'family', 'generation', 'verdict', 'is_ok', 'severity'] as const),
]

/** Returns the facts of a row, as a scan passes them on. */
export function aboutOf(row: Pick<InvocationRow, (typeof factColumns)[number]>): EntryAbout {
  return {
    functionName: row.function,
    source: row.source,
    family: row.family ?? undefined,
    generation: row.generation,
    verdict: row.verdict === null ? undefined : { kind: row.verdict, ok: row.is_ok === 1 },
    severity: row.severity,
  }
}

/** Returns the approximate size of a row in bytes. */
export function sizeOf({ event, payload, result, logs, rest }: InvocationRow): number {
  return 200 + event.length + payload.length + result.length + logs.length + (rest?.byteLength ?? 0)
}

/** Returns a text as it stands in the JSON columns of a row. */
export function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function resultText(verdict: UnnumberedEntry['verdict'], failure: UnnumberedEntry['failure']): string {
  if (verdict === undefined && failure === undefined) return ''
  const text = verdict?.text ?? null
  return JSON.stringify(failure === undefined ? [text] : [text, failure])
}

function parsed(text: string): unknown {
  return text === '' ? [] : JSON.parse(text)
}

/** Returns the first part of a text, up to a character that not every database can store. */
function searchedPart(text: string): string {
  const part = text.length > searchedLength ? text.slice(0, searchedLength) : text
  if (part.isWellFormed() && !part.includes('\0')) return part
  return /^[^\0\p{Cs}]*/u.exec(part)![0]
}

// The fastest setting of Brotli, because this is done for each long text while requests wait.
const fastest = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }

function compressed(text: string): Uint8Array {
  return brotliCompressSync(text, fastest)
}

/**
 * Returns what the row of an invocation has that begins a trace: its start, in milliseconds since the epoch, and its request
 * id after the first nine characters.
 */
export function rootOf(traceId: string): {
  readonly from: number
  readonly to: number
  readonly rest: string
} {
  const from = Number.parseInt(traceId.slice(0, 8), 16) * 1000
  const parts = [
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ].map(([start, end]) => traceId.slice(start, end))
  return { from, to: from + 1000, rest: parts.join('-') }
}
