import { type Metrics, metricsOf } from '../metrics.ts'

/** The limits of the format: metrics of one line, and values of one metric in it. */
const [mostMetrics, mostValues] = [100, 100]

/** The maximum number of characters of a dimension's value. */
const longestValue = 1024

interface EmfSettings {
  /** The namespace of the metrics in CloudWatch. */
  readonly namespace: string
  /** Dimensions of all metrics, such as the name of the function. */
  readonly dimensions: Dimensions
}

interface Dimensions {
  readonly [name: string]: string
}

/** What has been recorded of metrics with the same dimensions. */
interface Group {
  readonly dimensions: Dimensions
  readonly metrics: Map<string, { readonly unit: 'Seconds' | 'Count'; readonly values: number[] }>
}

/** Reads the namespace of metrics and the name of the function from the environment. */
export function emfSettings(environment: NodeJS.ProcessEnv): EmfSettings {
  const { SIGNALBOX_METRICS_NAMESPACE: namespace, AWS_LAMBDA_FUNCTION_NAME: name } = environment
  return { namespace: namespace || 'signalbox', dimensions: name ? { 'faas.name': name } : {} }
}

/**
 * Returns metrics that are written as lines in CloudWatch's embedded metric format, which CloudWatch Logs turns into metrics.
 * @param write gets each line, at the end of an invocation
 * @param now returns milliseconds since 1970
 */
export function emfMetrics(
  { namespace, dimensions }: EmfSettings,
  write: (line: string) => void,
  now: () => number,
): Metrics {
  let groups = new Map<string, Group>()
  const record = (name: string, unit: 'Seconds' | 'Count', value: number, labels: Dimensions) => {
    let key = ''
    // A NUL is in no name and in no value.
    for (const label in labels) key += `${label}\0${labels[label]}\0`
    const group = groups.get(key) ?? { dimensions: { ...dimensions, ...labels }, metrics: new Map() }
    groups.set(key, group)
    const metric = group.metrics.get(name) ?? { unit, values: [] }
    group.metrics.set(name, metric)
    // Counts of one line are one number.
    if (unit === 'Count') metric.values[0] = (metric.values[0] ?? 0) + value
    else metric.values.push(value)
  }
  return {
    ...metricsOf(
      ({ name, unit }) =>
        (value, labels) =>
          record(name, unit === 's' ? 'Seconds' : 'Count', value, labels),
    ),
    flush() {
      const recorded = groups
      groups = new Map()
      for (const group of recorded.values())
        for (const line of linesOf(group, namespace, now())) write(`${line}\n`)
    },
  }
}

/** Returns the lines of a group. A metric with many values goes on in the next line. */
function linesOf({ dimensions, metrics }: Group, namespace: string, timestamp: number): readonly string[] {
  const lines: string[] = []
  let left = [...metrics].map(([name, { unit, values }]) => ({ name, unit, values }))
  while (left.length > 0) {
    const here = left.slice(0, mostMetrics)
    lines.push(
      JSON.stringify({
        _aws: {
          Timestamp: timestamp,
          CloudWatchMetrics: [
            {
              Namespace: namespace,
              Dimensions: [Object.keys(dimensions)],
              Metrics: here.map(({ name, unit }) => ({ Name: name, Unit: unit })),
            },
          ],
        },
        ...Object.fromEntries(
          Object.entries(dimensions).map(([name, value]) => [name, value.slice(0, longestValue)]),
        ),
        ...Object.fromEntries(here.map(({ name, values }) => [name, targetOf(values.slice(0, mostValues))])),
      }),
    )
    left = [
      ...here.map(each => ({ ...each, values: each.values.slice(mostValues) })),
      ...left.slice(mostMetrics),
    ].filter(({ values }) => values.length > 0)
  }
  return lines
}

function targetOf(values: readonly number[]): number | readonly number[] {
  return values.length === 1 ? values[0]! : values
}
