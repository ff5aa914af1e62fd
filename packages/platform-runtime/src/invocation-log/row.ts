import type { LogLine } from '../invoker/invoker.ts'
import type { Unnumbered } from './block.ts'

/** A row of the first layout of journals. */
export type Row = {
  readonly [column: string]: string | number | null
}

/** The entry that a row of the first layout is. */
export function rowEntry(row: Row): Unnumbered {
  return {
    requestId: String(row.request_id),
    functionName: String(row.function),
    source: String(row.source),
    family: row.family === null ? undefined : String(row.family),
    attempt: Number(row.attempt),
    generation: Number(row.generation),
    started: Number(row.started),
    duration: Number(row.duration),
    event: String(row.event),
    payload: String(row.payload),
    failure:
      row.failure_kind === null
        ? undefined
        : { kind: row.failure_kind as never, message: String(row.failure_message) },
    verdict:
      row.verdict_kind === null
        ? undefined
        : { kind: String(row.verdict_kind), ok: row.verdict_ok === 1, text: String(row.verdict_text) },
    logs: row.logs === '' ? [] : (JSON.parse(String(row.logs)) as LogLine[]),
    masked: row.masked === 1,
  }
}
