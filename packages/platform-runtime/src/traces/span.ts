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
 * @param started milliseconds since the epoch, which count only for an invocation that begins a trace
 */
export function invocationSpan(
  requestId: string,
  attempt: number,
  { parent, traceId }: Cause,
  sample: Sample,
  started = 0,
): RemoteSpan {
  const digits = traceIdOf(requestId)
  const own = parent?.traceId ?? traceId ?? rootOf(digits, started)
  return { traceId: own, spanId: spanOf(digits, attempt), isSampled: sample(own, parent) }
}

/** Returns the id of an invocation's span. Attempts have the same request id. */
export function invocationSpanId(requestId: string, attempt: number): string {
  return spanOf(traceIdOf(requestId), attempt)
}

function spanOf(digits: string, attempt: number): string {
  return digits.slice(16, 28) + hex(attempt & 0xffff, 4)
}

/**
 * Returns the id of the trace that an invocation begins: the second in which it started, as in the ids of X-Ray, and 24
 * digits of the request id. So the log can find the invocation by the id of the trace.
 * @param started milliseconds since the epoch
 */
export function rootTraceId(requestId: string, started: number): string {
  return rootOf(traceIdOf(requestId), started)
}

function rootOf(digits: string, started: number): string {
  return hex(Math.floor(started / 1000) % 2 ** 32, 8) + digits.slice(8)
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns the digits of an id as the id of a trace. */
export function traceIdOf(id: string): string {
  if (!uuid.test(id)) return createHash('sha256').update(id).digest('hex').slice(0, 32)
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
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
