import type { Attributes } from '@signalbox/telemetry/otlp'
import { type Random, randomHex } from '../random.ts'
import { runInSpan } from './active-span.ts'
import { causeOf, type Headers } from './span.ts'
import type { Traces } from './traces.ts'

/** A request that a listener serves. */
interface TracedRequest {
  readonly headers: Headers
  readonly name: string
  readonly attributes?: Attributes
  /** Returns the value of `error.type`, for a request that was refused or that failed. */
  readonly errorOf: (error: unknown) => string
}

/**
 * Serves a request as a part of its client's trace, or of a trace of its own, to which all events, messages and mails
 * belong that the work causes.
 */
export async function inRequestSpan<Result>(
  { traces, random }: { readonly traces?: Traces | undefined; readonly random: Random },
  { headers, name, attributes, errorOf }: TracedRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const cause = causeOf(headers)
  if (traces === undefined) {
    const own = () => ({ traceId: randomHex(random, 16), spanId: randomHex(random, 8), isSampled: false })
    return runInSpan(cause.parent ?? own(), work)
  }
  const span = traces.start(cause)
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
