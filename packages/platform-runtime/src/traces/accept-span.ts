import type { Attributes } from '@signalbox/telemetry/otlp'
import { runInSpan } from './active-span.ts'
import type { Cause } from './span.ts'
import type { Traces } from './traces.ts'

/** A request, a mail or something else that the platform accepts. */
interface AcceptedWork {
  readonly cause: Cause
  /** The id of the trace that begins when nothing caused the work. */
  readonly traceId: string
  readonly name: string
  readonly attributes?: Attributes
  /** Returns the value of `error.type`, for work that was refused or that failed. */
  readonly errorOf: (error: unknown) => string
}

/**
 * Does work as a part of its client's trace, or of a trace of its own, to which all events, messages and mails belong
 * that the work causes.
 */
export async function inAcceptSpan<Result>(
  traces: Traces | undefined,
  { cause, traceId, name, attributes, errorOf }: AcceptedWork,
  work: () => Promise<Result>,
): Promise<Result> {
  if (traces === undefined)
    return runInSpan(cause.parent ?? { traceId, spanId: traceId.slice(16), isSampled: false }, work)
  const span = traces.start({ traceId, ...cause })
  const facts = { ...cause, name, kind: 'server', attributes, startedAt: traces.now() } as const
  try {
    const result = await runInSpan(span, work)
    traces.end(span, facts)
    return result
  } catch (error) {
    traces.end(span, { ...facts, error: errorOf(error) })
    throw error
  }
}
