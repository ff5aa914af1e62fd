import type { Failure, LogLine } from '../invoker/invoker.ts'

export interface NewInvocationLogEntry {
  readonly requestId: string
  readonly functionName: string
  /** The source of the event, such as `queue orders`. */
  readonly source: string
  readonly family: string | undefined
  /** The number of the attempt to handle this event. The first attempt is 1. */
  readonly attempt: number
  readonly generation: number
  /** Milliseconds since the epoch. */
  readonly started: number
  /** The duration in milliseconds. */
  readonly duration: number
  /** The event as JSON text. */
  readonly event: string
  /** The payload as text. Empty when the function returned nothing. */
  readonly payload: string
  readonly failure: Failure | undefined
  /** The platform's verdict. */
  readonly verdict: { readonly kind: string; readonly ok: boolean; readonly text: string } | undefined
  readonly logs: readonly LogLine[]
  /** What caused it. Undefined for an invocation that began a trace, whose id `traceOf` returns. */
  readonly trace?: LoggedTrace | undefined
}

/** The trace of an invocation, and the spans that caused it. See docs/platform/traces.md. */
export interface LoggedTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The span of which the invocation is a part. Undefined when only links say what caused it. */
  readonly parentId: string | undefined
  /** The spans of other traces that caused the invocation, such as those of the other messages of a batch. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
}

/** A logged invocation. Its secrets are masked. */
export interface InvocationLogEntry extends NewInvocationLogEntry {
  readonly id: number
  /** Whether any part of the entry was masked. */
  readonly masked: boolean
}

/** An entry without an id, which it gets when it is written. */
export type UnnumberedEntry = Omit<InvocationLogEntry, 'id'>

/** Filters for the invocation log. An entry has to pass all filters. */
export interface InvocationLogQuery {
  /** The id after which the entries start. */
  readonly after?: number
  readonly functionName?: string
  /** The maximum number of entries to return. If more entries match, the latest ones are returned. Default 100. */
  readonly last?: number
}
