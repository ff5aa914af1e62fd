import type { Transfer, TransferRecord, TransferValue } from '../storage/transfer/transfer.ts'
import type { InvocationLogEntry } from './entry.ts'

/** The entries of an invocation log, for copies between engines. */
export interface InvocationEntries {
  /** Returns the first entries after an id, in the order of their ids. */
  readonly read: (after: number, limit: number) => Promise<readonly InvocationLogEntry[]>
  /**
   * Stores all entries, or none of them if an error occurs. Their ids are in ascending order and greater than the ids
   * of all stored entries.
   */
  readonly write: (entries: readonly InvocationLogEntry[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Returns the records of an invocation log. */
export function invocationTransfer({ read, write, close }: InvocationEntries): Transfer {
  return {
    read: async (_, after, limit) => (await read(Number(after?.[0] ?? 0), limit)).map(recordOf),
    write: (_, records) => write(records.map(entryOf)),
    finish: async () => {},
    close,
  }
}

function recordOf(entry: InvocationLogEntry): TransferRecord {
  const { failure, verdict } = entry
  return {
    id: entry.id,
    request_id: storable(entry.requestId),
    function: storable(entry.functionName),
    source: storable(entry.source),
    family: entry.family === undefined ? null : storable(entry.family),
    attempt: entry.attempt,
    generation: entry.generation,
    started: entry.started,
    duration: entry.duration,
    event: storable(entry.event),
    payload: entry.payload.toWellFormed(),
    failure: failure === undefined ? null : JSON.stringify(failure),
    verdict:
      verdict === undefined ? null : JSON.stringify([storable(verdict.kind), verdict.ok, verdict.text]),
    logs: JSON.stringify(entry.logs),
    masked: entry.masked ? 1 : 0,
    trace: entry.trace === undefined ? null : JSON.stringify(entry.trace),
  }
}

function entryOf(record: TransferRecord): InvocationLogEntry {
  const text = (field: string) => record[field] as string
  const number = (field: string) => record[field] as number
  const json = (field: string) => parsed(record[field]!)
  const verdict = json('verdict') as readonly [kind: string, ok: boolean, text: string] | undefined
  return {
    id: number('id'),
    requestId: text('request_id'),
    functionName: text('function'),
    source: text('source'),
    family: record.family === null ? undefined : text('family'),
    attempt: number('attempt'),
    generation: number('generation'),
    started: number('started'),
    duration: number('duration'),
    event: text('event'),
    payload: text('payload'),
    failure: json('failure') as InvocationLogEntry['failure'],
    verdict: verdict && { kind: verdict[0], ok: verdict[1], text: verdict[2] },
    logs: json('logs') as InvocationLogEntry['logs'],
    masked: record.masked === 1,
    trace: json('trace') as InvocationLogEntry['trace'],
  }
}

function parsed(value: TransferValue): unknown {
  return value === null ? undefined : JSON.parse(value as string)
}

/**
 * Replaces NUL and unpaired surrogates, because not every engine can store them. JSON needs no replacement, because it
 * escapes them.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
