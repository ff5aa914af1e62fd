/** The labels of a series. Their values come from the configuration and from code, never from clients. */
export interface Labels {
  readonly [name: string]: string
}

interface Described {
  /** By Prometheus' conventions: `signalbox_`, what is measured, and its unit or `_total`. */
  readonly name: string
  /** A sentence about what is measured, for people. */
  readonly help: string
}

/** One value at a time. */
interface Sample {
  readonly labels?: Labels
  readonly value: number
}

/** How often values were up to certain bounds, what they add up to, and how many there were. */
interface Distribution {
  readonly labels?: Labels
  /** The counts up to each bound, in the order of the bounds. Each contains the counts before it. */
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

/** Values that only grow, or that also fall. */
export interface ValueMetric extends Described {
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

export interface HistogramMetric extends Described {
  readonly type: 'histogram'
  readonly bounds: readonly number[]
  readonly distributions: readonly Distribution[]
}

/** Something that is measured, with its values now. */
export type Metric = ValueMetric | HistogramMetric
