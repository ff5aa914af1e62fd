import type {
  Span as ApiSpan,
  Context,
  ContextManager,
  MeterProvider,
  SpanContext,
  TextMapPropagator,
  TracerProvider,
} from '@opentelemetry/api'
import { fromTraceparent } from './remote-span.ts'
import type { Attributes, Failure, RemoteSpan, Span, Tracer } from './span.ts'

/**
 * What an SDK has registered with `@opentelemetry/api`. The package keeps it in a registered symbol, which is the same for
 * all its releases of one major version, so that it can be found without loading the package. See
 * docs/decisions/core-and-middlewares.md#telemetry-without-loading-it.
 */
interface Registered {
  readonly trace?: TracerProvider
  readonly context?: ContextManager
  readonly propagation?: TextMapPropagator
  readonly metrics?: MeterProvider
}

const registered = Symbol.for('opentelemetry.js.api.1')
/** The key of the active span in a context, as `createContextKey` makes it. */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN')

/** The name of our spans and metrics, as that of a library. */
export const scope = '@signalbox/telemetry'

const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const
const errorStatus = 2

function api(): Registered {
  return ((globalThis as never)[registered] as Registered | undefined) ?? {}
}

let cached: { readonly of: TracerProvider; readonly tracer: Tracer } | undefined

/** Returns the tracer of the SDK that is registered, or undefined. */
export function registeredTracer(): Tracer | undefined {
  const { trace } = api()
  if (trace === undefined) return undefined
  if (cached?.of !== trace) cached = { of: trace, tracer: tracerOf(trace) }
  return cached.tracer
}

function tracerOf(trace: TracerProvider): Tracer {
  const tracer = trace.getTracer(scope)
  return {
    start({ name, kind, attributes, parent, links }) {
      const { context: contexts } = api()
      const active = contexts?.active() ?? new EmptyContext()
      const context = parent === undefined ? active : active.setValue(spanKey, apiSpanOf(parent))
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: attributes as never,
          links: links.map(link => ({ context: contextOf(link) })),
        },
        context,
      )
      return new SdkSpan(span, context.setValue(spanKey, span), contexts)
    },
    remote(header) {
      const { propagation } = api()
      if (propagation === undefined) return fromTraceparent(header('traceparent'))
      const found = propagation.extract(new EmptyContext(), header, {
        get: (carrier, name) => carrier(name.toLowerCase()),
        keys: () => ['traceparent', 'tracestate', 'x-amzn-trace-id', 'b3'],
      })
      return spanIn(found)
    },
  }
}

/** Returns the span that is active in the SDK that is registered. */
export function registeredActiveSpan(): RemoteSpan | undefined {
  return spanIn(api().context?.active())
}

/** Returns what makes meters in the SDK that is registered, or undefined. */
export function registeredMeters(): MeterProvider | undefined {
  return api().metrics
}

class SdkSpan implements Span {
  readonly span: ApiSpan
  readonly #context: Context
  readonly #contexts: ContextManager | undefined

  constructor(span: ApiSpan, context: Context, contexts: ContextManager | undefined) {
    this.span = span
    this.#context = context
    this.#contexts = contexts
  }

  get traceId(): string {
    return this.span.spanContext().traceId
  }

  get spanId(): string {
    return this.span.spanContext().spanId
  }

  get isSampled(): boolean {
    return (this.span.spanContext().traceFlags & 1) === 1
  }

  get isRecording(): boolean {
    return this.span.isRecording()
  }

  rename(name: string): void {
    this.span.updateName(name)
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes as never)
  }

  end(failure?: Failure): void {
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failure.type)
      this.span.setStatus({ code: errorStatus })
    }
    if (this.isRecording) this.span.end()
  }

  run<Result>(work: () => Result): Result {
    return this.#contexts === undefined ? work() : (this.#contexts.with(this.#context, work) as Result)
  }
}

/** A span whose context has more than its ids, such as the state of vendors. */
interface KnownSpan extends RemoteSpan {
  readonly context: SpanContext
}

function spanIn(context: Context | undefined): KnownSpan | undefined {
  const span = context?.getValue(spanKey) as ApiSpan | undefined
  if (span === undefined) return undefined
  const known = span.spanContext()
  const { traceId, spanId, traceFlags } = known
  return { traceId, spanId, isSampled: (traceFlags & 1) === 1, context: known }
}

function contextOf(span: RemoteSpan | KnownSpan): SpanContext {
  if ('context' in span) return span.context
  const { traceId, spanId, isSampled } = span
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true }
}

/** Returns a span as the API's, of which a child reads only the context. */
function apiSpanOf(span: Span | RemoteSpan): Pick<ApiSpan, 'spanContext' | 'isRecording'> {
  return span instanceof SdkSpan
    ? span.span
    : { spanContext: () => contextOf(span), isRecording: () => false }
}

/** The context of a program whose SDK has registered no context manager. */
class EmptyContext implements Context {
  readonly #values: ReadonlyMap<symbol, unknown>

  constructor(values: ReadonlyMap<symbol, unknown> = new Map()) {
    this.#values = values
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key)
  }

  setValue(key: symbol, value: unknown): Context {
    return new EmptyContext(new Map([...this.#values, [key, value]]))
  }

  deleteValue(key: symbol): Context {
    return new EmptyContext(new Map([...this.#values].filter(([each]) => each !== key)))
  }
}
