import { context, metrics, propagation, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { invocationContext } from '@signalbox/core/testing'
import { type TelemetryOptions, traceparent } from '../index.ts'
import { type Receiver, type SeenSpan, startReceiver } from './otlp-receiver.ts'

/** A way of getting the spans that a function makes. */
export interface Way {
  readonly options: TelemetryOptions
  readonly start: () => Promise<void>
  readonly end: () => Promise<void>
  /** Waits for a number of spans, and returns them in the order in which they ended. */
  readonly spans: (count: number) => Promise<readonly SeenSpan[]>
  /** Makes a span of the user's own in the active one, and returns its parent. */
  readonly ownSpan: () => string | undefined
}

/** Keeps the spans of the SDK. */
export const memory = new InMemorySpanExporter()
/** Spans that the SDK of OpenTelemetry makes. */
export const sdk: Way = {
  options: {},
  async start() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: memory })] }),
    )
  },
  async end() {
    for (const each of [trace, context, propagation, metrics]) each.disable()
    memory.reset()
  },
  async spans(count) {
    await until(() => memory.getFinishedSpans().length >= count)
    return memory.getFinishedSpans().map(seen)
  },
  ownSpan() {
    const span: Span = trace.getTracer('own').startSpan('own')
    return (span as unknown as ReadableSpan).parentSpanContext?.spanId
  },
}

export let receiver: Receiver
/** Spans that the package sends itself. */
export const light: Way = {
  options: { export: 'otlp' },
  async start() {
    receiver = await startReceiver()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  },
  async end() {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    await receiver[Symbol.asyncDispose]()
  },
  async spans(count) {
    await until(() => receiver.spans.length >= count)
    return receiver.spans
  },
  ownSpan: () => traceparent()?.split('-')[2],
}

export function seen(span: ReadableSpan): SeenSpan {
  return {
    ...{ traceId: span.spanContext().traceId, spanId: span.spanContext().spanId, name: span.name },
    parentId: span.parentSpanContext?.spanId,
    kind: (['internal', 'server', 'client', 'producer', 'consumer'] as const)[span.kind] as SeenSpan['kind'],
    attributes: span.attributes,
    links: span.links.map(link => link.context.spanId),
    isError: span.status.code === 2,
    message: span.status.message,
    took: span.duration[0] * 1000 + span.duration[1] / 1e6,
  }
}

export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited for too long')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

export const traceId = '0af7651916cd43dd8448eb211c80319c'
export const incoming = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
export const sender = (spanId: string) => ({
  CloudTraceHeader: `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=1`,
})
export const invoked = () => invocationContext({ functionName: 'shop', requestId: 'request-7' } as never)
