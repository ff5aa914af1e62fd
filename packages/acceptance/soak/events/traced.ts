import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import { log } from '@signalbox/telemetry'
import { atPauses, current, see, violation } from './visit.ts'

/** What the spans and log lines of a soak have shown. */
export interface Traced {
  /** The number of spans that have ended, and of log lines that know their event. */
  readonly counts: { spans: number; lines: number }
  /** Removes the SDK. */
  readonly end: () => void
}

/** Registers an SDK of OpenTelemetry that notes a violation for each span with what belongs to another event. */
export function traced(): Traced {
  counts.spans = 0
  counts.lines = 0
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [{ ...ignoring, onEnd }] }))
  atPauses(writeLine)
  return {
    counts,
    end() {
      atPauses(() => {})
      trace.disable()
      context.disable()
    },
  }
}

const counts = { spans: 0, lines: 0 }

const ignoring = { onStart() {}, async forceFlush() {}, async shutdown() {} }

function onEnd(span: ReadableSpan): void {
  counts.spans++
  see('a span', span.attributes)
  const id = span.attributes['faas.invocation.id']
  if (id !== undefined && id !== current().mark) violation(`a span of ${current().mark} has ${id}`)
}

function write({
  request_id: id,
  span_id: spanId,
}: {
  readonly request_id?: string
  readonly span_id?: string
}) {
  // Code of no invocation, such as that which makes events, has neither.
  if (id === undefined && spanId === undefined) return
  counts.lines++
  if (id !== current().mark) violation(`a log line of ${current().mark} has ${id}`)
  const active = trace.getActiveSpan()?.spanContext().spanId
  if (spanId !== active) violation(`a log line of ${current().mark} has the span ${spanId}, not ${active}`)
}

const logger = { trace: write, debug: write, info: write, warn: write, error: write }

/** Writes a log line without a context, which finds its event by itself. */
function writeLine(): void {
  log(undefined, { logger }).info('a line')
}
