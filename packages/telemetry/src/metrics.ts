import type { Meter, MeterProvider } from '@opentelemetry/api'
import { registeredMeters, scope } from './trace/opentelemetry.ts'

/** The bounds that the conventions advise for durations in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

interface Described {
  readonly name: string
  readonly description: string
  /** The unit by the conventions: `s` for a duration, which is a histogram; braces for what is counted. */
  readonly unit: string
}

/** The metrics of a function, by OpenTelemetry's names. */
export const metricTable = {
  invocations: {
    name: 'faas.invocations',
    description: 'Number of successful invocations.',
    unit: '{invocation}',
  },
  errors: { name: 'faas.errors', description: 'Number of invocation errors.', unit: '{error}' },
  coldstarts: {
    name: 'faas.coldstarts',
    description: 'Number of invocation cold starts.',
    unit: '{coldstart}',
  },
  initDuration: {
    name: 'faas.init_duration',
    description: 'Duration from the start of the process to its first event.',
    unit: 's',
  },
  invokeDuration: { name: 'faas.invoke_duration', description: 'Duration of an invocation.', unit: 's' },
  processDuration: {
    name: 'messaging.process.duration',
    description: 'Duration of processing one message.',
    unit: 's',
  },
  retries: {
    name: 'signalbox.queue.retries',
    description: 'Number of messages that were received before.',
    unit: '{message}',
  },
} as const satisfies { readonly [key: string]: Described }

type MetricKey = keyof typeof metricTable

/** Records a value, or counts as many as it says. */
type Record = (value: number, labels: { readonly [name: string]: string }) => void

/** Records each metric of the table. */
export type Metrics = { readonly [Key in MetricKey]: Record } & {
  /** Writes what was recorded, at the end of an invocation. Absent where something else decides when. */
  readonly flush?: () => void
}

/** Returns metrics, of which each is recorded by the function that `make` returns. */
export function metricsOf(make: (metric: Described) => Record): Metrics {
  return Object.fromEntries(
    Object.entries(metricTable).map(([key, metric]) => [key, make(metric)]),
  ) as unknown as Metrics
}

let cached: { readonly of: MeterProvider; readonly metrics: Metrics } | undefined

/** Returns the metrics of the SDK that is registered, or undefined. */
export function registeredMetrics(): Metrics | undefined {
  const meters = registeredMeters()
  if (meters === undefined) return undefined
  if (cached?.of !== meters) {
    const meter = meters.getMeter(scope)
    cached = { of: meters, metrics: metricsOf(metric => instrument(meter, metric)) }
  }
  return cached.metrics
}

function instrument(meter: Meter, { name, description, unit }: Described): Record {
  if (unit === 's') {
    const advice = { explicitBucketBoundaries: boundaries }
    const histogram = meter.createHistogram(name, { description, unit, advice })
    return (value, labels) => histogram.record(value, labels)
  }
  const counter = meter.createCounter(name, { description, unit })
  return (value, labels) => counter.add(value, labels)
}
