import { createHash } from 'node:crypto'
import { fromTraceHeader, fromTraceparent, type RemoteSpan } from '@signalbox/telemetry/otlp'

/** The spans that caused some work. */
export interface Cause {
  /** The span of which the work is a part. Undefined: the work begins a trace. */
  readonly parent?: RemoteSpan | undefined
  /** The id of a trace that begins. Default: an id that is made from the request id. */
  readonly traceId?: string | undefined
  /** Other spans that caused the work, such as those of the other messages of a batch. */
  readonly links?: readonly RemoteSpan[]
}

/** Returns whether a trace that begins is sampled. */
export type Sample = (traceId: string, parent: RemoteSpan | undefined) => boolean

/**
 * Returns the span of one attempt of an invocation. Its ids are made from the request id, so that they cost nothing and
 * are the same wherever they are needed.
 */
export function invocationSpan(
  requestId: string,
  attempt: number,
  { parent, traceId }: Cause,
  sample: Sample,
): RemoteSpan {
  const digits = digitsOf(requestId)
  const own = parent?.traceId ?? traceId ?? digits
  return {
    traceId: own,
    // Attempts have the same request id.
    spanId: digits.slice(16, 28) + (attempt & 0xffff).toString(16).padStart(4, '0'),
    isSampled: sample(own, parent),
  }
}

/** Returns the id of the trace that an invocation begins when nothing else caused it. */
export function traceIdOf(requestId: string): string {
  return digitsOf(requestId)
}

function digitsOf(requestId: string): string {
  const digits = requestId.replaceAll('-', '')
  return /^[\da-f]{32}$/.test(digits) ? digits : createHash('sha256').update(requestId).digest('hex').slice(0, 32)
}

/** Header values by name, such as those of a Node request. */
export interface Headers {
  readonly [name: string]: string | readonly string[] | undefined
}

/** Returns the span that the headers of a client name: `traceparent`, or `x-amzn-trace-id` of an AWS SDK. */
export function causeOf({ traceparent, 'x-amzn-trace-id': header }: Headers): Cause {
  const parent =
    (typeof traceparent === 'string' ? fromTraceparent(traceparent) : undefined) ??
    (typeof header === 'string' ? fromTraceHeader(header) : undefined)
  return { parent }
}
