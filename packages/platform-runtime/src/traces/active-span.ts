import { AsyncLocalStorage } from 'node:async_hooks'
import type { RemoteSpan } from '@signalbox/telemetry/otlp'
import type { Cause } from './span.ts'

const active = new AsyncLocalStorage<RemoteSpan>()

/** Runs work as a part of a span: the events, messages and mails that it causes belong to the span. */
export function runInSpan<Result>(span: RemoteSpan, work: () => Result): Result {
  return active.run(span, work)
}

/** Returns the span of which the running code is a part. */
export function activeSpan(): RemoteSpan | undefined {
  return active.getStore()
}

const none: Cause = {}

/** Returns the running span as the cause of something. */
export function activeCause(): Cause {
  const parent = active.getStore()
  return parent === undefined ? none : { parent }
}
