import { createHash } from 'node:crypto'
import { fromTraceHeader, fromTraceparent, type RemoteSpan } from '@signalbox/telemetry/otlp'

/** The spans that caused some work. */
export interface Cause {
  /** The span of which the work is a part. Undefined: the work begins a trace. */
  readonly parent?: RemoteSpan | undefined
  /** The id of a trace that begins. Default: `rootTraceId`. */
  readonly traceId?: string | undefined
  /** Other spans that caused the work, such as those of the other messages of a batch. */
  readonly links?: readonly RemoteSpan[]
}

/** Returns whether a trace that begins is sampled. */
export type Sample = (traceId: string, parent: RemoteSpan | undefined) => boolean

/**
 * Returns the span of one attempt of an invocation. Its ids are made from the request id, so that they are cheap, and known
 * wherever the request id is.
 * @param sample absent while no spans are sent: the span is then sampled as its parent is
 * @param started milliseconds since the epoch, which count only for an invocation that begins a trace
 */
export function invocationSpan(
  requestId: string,
  attempt: number,
  { parent, traceId }: Cause,
  sample?: Sample,
  started = 0,
): RemoteSpan {
  const own = parent?.traceId ?? traceId ?? rootTraceId(requestId, started)
  const isSampled = sample === undefined ? (parent?.isSampled ?? false) : sample(own, parent)
  return { traceId: own, spanId: invocationSpanId(requestId, attempt), isSampled }
}

/** Returns the id of an invocation's span. Attempts have the same request id. */
export function invocationSpanId(requestId: string, attempt: number): string {
  return traceIdOf(requestId).slice(16, 28) + (attempt & 0xffff).toString(16).padStart(4, '0')
}

/**
 * Returns the id of the trace that an invocation begins: the second in which it started, as in the ids of X-Ray, and 24
 * digits of the request id. So the log can find the invocation by the id of the trace.
 * @param started milliseconds since the epoch
 */
export function rootTraceId(requestId: string, started: number): string {
  const seconds = Math.floor(started / 1000) % 2 ** 32
  return seconds.toString(16).padStart(8, '0') + traceIdOf(requestId).slice(8)
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns the digits of an id as the id of a trace. */
export function traceIdOf(id: string): string {
  if (!uuid.test(id)) return createHash('sha256').update(id).digest('hex').slice(0, 32)
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
}

/** Header values by name, such as those of a Node request. */
interface Headers {
  readonly [name: string]: string | readonly string[] | undefined
}

/** Returns the span that the headers of a client name: `traceparent`, or `x-amzn-trace-id` of an AWS SDK. */
export function causeOf({ traceparent, 'x-amzn-trace-id': header }: Headers): Cause {
  const parent =
    (typeof traceparent === 'string' ? fromTraceparent(traceparent) : undefined) ??
    (typeof header === 'string' ? fromTraceHeader(header) : undefined)
  return { parent }
}
