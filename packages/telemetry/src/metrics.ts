import type { Counter, Histogram, MeterProvider } from '@opentelemetry/api'
import { registeredMeters, scope } from './trace/opentelemetry.ts'

/** The bounds that the conventions advise for durations in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** The metrics of a function, by OpenTelemetry's names. */
export interface Metrics {
  readonly invocations: Counter
  readonly errors: Counter
  readonly coldstarts: Counter
  readonly initDuration: Histogram
  readonly invokeDuration: Histogram
  readonly processDuration: Histogram
  readonly retries: Counter
}

let cached: { readonly of: MeterProvider; readonly metrics: Metrics } | undefined

/** Returns the metrics of the SDK that is registered, or undefined. */
export function registeredMetrics(): Metrics | undefined {
  const meters = registeredMeters()
  if (meters === undefined) return undefined
  if (cached?.of !== meters) cached = { of: meters, metrics: metricsOf(meters) }
  return cached.metrics
}

function metricsOf(meters: MeterProvider): Metrics {
  const meter = meters.getMeter(scope)
  const duration = (name: string, description: string) =>
    meter.createHistogram(name, {
      ...{ description, unit: 's' },
      advice: { explicitBucketBoundaries: boundaries },
    })
  return {
    invocations: meter.createCounter('faas.invocations', {
      ...{ description: 'Number of successful invocations.', unit: '{invocation}' },
    }),
    errors: meter.createCounter('faas.errors', {
      ...{ description: 'Number of invocation errors.', unit: '{error}' },
    }),
    coldstarts: meter.createCounter('faas.coldstarts', {
      ...{ description: 'Number of invocation cold starts.', unit: '{coldstart}' },
    }),
    initDuration: duration(
      'faas.init_duration',
      'Duration from the start of the process to its first event.',
    ),
    invokeDuration: duration('faas.invoke_duration', 'Duration of an invocation.'),
    processDuration: duration('messaging.process.duration', 'Duration of processing one message.'),
    retries: meter.createCounter('signalbox.queue.retries', {
      ...{ description: 'Number of messages that were received before.', unit: '{message}' },
    }),
  }
}
