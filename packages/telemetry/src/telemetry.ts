import {
  callsEnd,
  endObserved,
  InvalidOptionError,
  type Middleware,
  namedMiddleware,
  observe,
  type Request,
  refuseUnknownOptions,
  showOption,
} from '@signalbox/core'
import { attempt } from './attempt.ts'
import { clock } from './clock.ts'
import { emfMetrics, emfSettings } from './emf/emf-metrics.ts'
import { platformSpan } from './facts/invocation-facts.ts'
import { Invocation } from './invocation.ts'
import { followRequest } from './log/current-request.ts'
import { type Metrics, registeredMetrics } from './metrics.ts'
import { otlpExporter } from './otlp/exporter.ts'
import { otlpSettings } from './otlp/settings.ts'
import { activeSpan } from './trace/active-span.ts'
import { noTracer } from './trace/no-tracer.ts'
import { registeredTracer } from './trace/opentelemetry.ts'
import { ownTracer, passingTracer } from './trace/own-tracer.ts'
import { toTraceHeader, toTraceparent } from './trace/remote-span.ts'
import type { Tracer } from './trace/span.ts'

/** Options of `telemetry()`. */
export interface TelemetryOptions {
  /**
   * `otlp` sends spans without an SDK, over HTTP in JSON, to the address in `OTEL_EXPORTER_OTLP_ENDPOINT`. `emf` writes
   * metrics to stdout in CloudWatch's embedded metric format, and leaves spans to an SDK. Default: the SDK
   * that is registered with `@opentelemetry/api`, and nothing if there is none.
   */
  readonly export?: 'otlp' | 'emf'
  /**
   * Whether a batch with one message belongs to the trace of the message's sender (`parent`). Default: `link`, each message
   * is linked to its sender, in a trace of the batch.
   */
  readonly propagation?: 'link' | 'parent'
  /**
   * Whether log lines say the family of their event, with its route, trigger source or queue, and whether `log()` finds its
   * event without a context, as handlers of messages and of mail need it. Default false.
   */
  readonly log?: boolean
}

/**
 * Returns a middleware that records what a function does: a span for each invocation and for each message of a batch, and
 * metrics, by the conventions of OpenTelemetry. It fits every handler of `signalbox()` and every middy stack; use it before
 * other middlewares, so that they are measured, too. It never fails an invocation.
 *
 * @example
 * export const handler = signalbox(queue({ onMessage })).use(telemetry())
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function telemetry(options: TelemetryOptions = {}): Middleware {
  refuseUnknownOptions('telemetry()', options, ['export', 'propagation', 'log'])
  checkOption('export', options.export, ['otlp', 'emf'])
  checkOption('propagation', options.propagation, ['link', 'parent'])
  if (options.log !== undefined && typeof options.log !== 'boolean')
    throw new InvalidOptionError(`telemetry(): log is ${showOption(options.log)}, expected true or false`)
  const joinsSender = options.propagation === 'parent'
  const tracerNow = options.export === 'otlp' ? otlpTracer() : registeredTracer
  const metricsNow = options.export === 'emf' ? emfToStdout() : registeredMetrics
  /** The invocations whose context cannot have an observer, if there was one. */
  let unobserved: WeakMap<object, Invocation> | undefined
  const finish = (request: Request) => {
    if (!callsEnd(request)) endObserved(request)
    unobserved?.get(request)?.end(request)
  }
  return namedMiddleware('telemetry', {
    before(request: Request): void {
      attempt(() => {
        const tracer = tracerNow()
        const metrics = metricsNow()
        if (options.log) followRequest(request)
        const platform = tracer === undefined ? platformSpan(request.context) : undefined
        if (tracer === undefined && metrics === undefined && platform === undefined) return
        request.context ??= {}
        const using = tracer ?? (platform === undefined ? noTracer : passingTracer(platform))
        const invocation = new Invocation(request, using, metrics, joinsSender)
        if (!observe(request.context, invocation)) {
          unobserved ??= new WeakMap()
          unobserved.set(request, invocation)
        }
      })
    },
    after: finish,
    onError: finish,
  })
}

function checkOption(name: string, value: unknown, values: readonly string[]): void {
  if (value === undefined || values.includes(value as string)) return
  throw new InvalidOptionError(
    `telemetry(): ${name} is ${showOption(value)}, expected ${values.map(each => `'${each}'`).join(' or ')}`,
  )
}

function emfToStdout(): () => Metrics {
  const metrics = emfMetrics(emfSettings(process.env), line => process.stdout.write(line), clock.wall)
  return () => metrics
}

function otlpTracer(): () => Tracer | undefined {
  const settings = otlpSettings(process.env)
  if (settings === undefined) return () => undefined
  const tracer = ownTracer(clock, otlpExporter(settings, clock))
  return () => tracer
}

/**
 * Returns the value of a header `traceparent` for requests to others, which makes their spans a part of the active one.
 * Returns undefined where no span is active.
 *
 * @example
 * await fetch(url, { headers: { traceparent: traceparent() ?? '' } })
 */
export function traceparent(): string | undefined {
  const span = activeSpan()
  return span && toTraceparent(span)
}

/**
 * Returns the value of the system attribute `CloudTraceHeader` (on AWS: `AWSTraceHeader`) of a message that is sent, so that
 * its span is linked to the active one. It counts neither as one of ten attributes nor for the size of the message. Returns
 * undefined where no span is active. See docs/contract/queue.md#attributes.
 * @example
 * ```ts
 * import { traceHeader } from '@signalbox/telemetry'
 *
 * const header = traceHeader()
 * const message = {
 *   MessageBody: 'paid',
 *   ...(header && { MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: header } } }),
 * }
 * ```
 */
export function traceHeader(): string | undefined {
  const span = activeSpan()
  return span && toTraceHeader(span)
}
