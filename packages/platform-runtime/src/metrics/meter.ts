import type { HistogramMetric, Labels, Metric, ValueMetric } from './metric.ts'

/** Counts while the platform runs. Each of its metrics has a series for all labels that were given to `of`. */
export interface Meter {
  /** Returns the counter with a name. Its parts can be counted in several places. */
  readonly counter: (name: string, help: string) => Counter
  /** Returns the histogram with a name. */
  readonly histogram: (name: string, help: string, bounds: readonly number[]) => Histogram
  /** Returns the metrics with their values now. */
  readonly metrics: () => readonly Metric[]
}

interface Counter {
  /** Returns the function that counts one more. Ask for it once and keep it: its series exists from then on. */
  readonly of: (labels: Labels) => () => void
}

interface Histogram {
  /** Returns the function that counts a value. Ask for it once and keep it: its series exists from then on. */
  readonly of: (labels: Labels) => (value: number) => void
}

/** Makes a meter, which costs an addition for each thing that it counts. */
export function meter(): Meter {
  const counters = new Map<string, Counter & { readonly metric: () => ValueMetric }>()
  const histograms = new Map<string, Histogram & { readonly metric: () => HistogramMetric }>()
  return {
    counter: (name, help) => once(counters, name, () => counter(name, help)),
    histogram: (name, help, bounds) => once(histograms, name, () => histogram(name, help, bounds)),
    metrics: () => [...counters.values(), ...histograms.values()].map(each => each.metric()),
  }
}

function once<Kept>(all: Map<string, Kept>, name: string, make: () => Kept): Kept {
  const known = all.get(name) ?? make()
  all.set(name, known)
  return known
}

function counter(name: string, help: string) {
  const series = new Map<string, { readonly labels: Labels; value: number }>()
  return {
    of(labels: Labels) {
      const own = once(series, JSON.stringify(labels), () => ({ labels, value: 0 }))
      return () => {
        own.value++
      }
    },
    metric: (): ValueMetric => ({
      ...{ name, help, type: 'counter' },
      samples: [...series.values()].map(each => ({ ...each })),
    }),
  }
}

function histogram(name: string, help: string, bounds: readonly number[]) {
  const series = new Map<
    string,
    { readonly labels: Labels; readonly hits: number[]; sum: number; count: number }
  >()
  return {
    of(labels: Labels) {
      const own = once(series, JSON.stringify(labels), () => ({
        ...{ labels, hits: bounds.map(() => 0), sum: 0, count: 0 },
      }))
      return (value: number) => {
        const at = bounds.findIndex(bound => value <= bound)
        if (at >= 0) own.hits[at]!++
        own.sum += value
        own.count++
      }
    },
    metric: (): HistogramMetric => ({
      ...{ name, help, bounds, type: 'histogram' },
      distributions: [...series.values()].map(({ labels, hits, sum, count }) => {
        let total = 0
        const counts = hits.map(each => (total += each))
        return { labels, counts, sum, count }
      }),
    }),
  }
}
