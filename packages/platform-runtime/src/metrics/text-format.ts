import type { Labels, Metric } from './metric.ts'

/** The media type of the text. */
export const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Writes metrics in the text format of Prometheus, version 0.0.4, sorted by name. Metrics of the same name become one.
 * See https://prometheus.io/docs/instrumenting/exposition_formats.
 */
export function metricsText(metrics: readonly Metric[]): string {
  let text = ''
  let name: string | undefined
  for (const metric of metrics.toSorted(byName)) {
    if (metric.name !== name) text += head(metric)
    text += lines(metric)
    name = metric.name
  }
  return text
}

function byName(one: Metric, next: Metric): number {
  return one.name === next.name ? 0 : one.name < next.name ? -1 : 1
}

function head({ name, help, type }: Metric): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
}

function lines(metric: Metric): string {
  const { name } = metric
  if (metric.type !== 'histogram')
    return metric.samples.map(({ labels, value }) => line(name, labels, value)).join('')
  return metric.distributions
    .map(
      ({ labels, counts, sum, count }) =>
        `${[...metric.bounds, Number.POSITIVE_INFINITY]
          .map((bound, at) =>
            line(`${name}_bucket`, { ...labels, le: numberText(bound) }, counts[at] ?? count),
          )
          .join('')}${line(`${name}_sum`, labels, sum)}${line(`${name}_count`, labels, count)}`,
    )
    .join('')
}

function line(name: string, labels: Labels = {}, value: number): string {
  const parts = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${parts.length === 0 ? '' : `{${parts.join(',')}}`} ${numberText(value)}\n`
}

/** Escapes the value of a label. Half a character of two units has no form in UTF-8. */
function escaped(text: string): string {
  return text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
