// @ts-expect-error: the package has no types.
import parse from 'parse-prometheus-text-format'

/** Metrics of one name, as a client of Prometheus' text format reads them. */
interface ReadMetrics {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly object[]
}

/** Reads metrics in the text format of Prometheus. Throws for a line that breaks the format. */
export function readMetricsText(text: string): readonly ReadMetrics[] {
  return parse(text)
}
