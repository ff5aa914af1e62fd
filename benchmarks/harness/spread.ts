/** The median, the smallest and the largest value of several rounds. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, low: sorted[0]!, high: sorted.at(-1)! }
}
