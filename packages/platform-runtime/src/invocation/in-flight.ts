/** Counts the work that is running. */
export interface InFlight {
  readonly begin: () => void
  readonly end: () => void
  /** Returns how much is running, and how much has begun so far. */
  readonly counts: () => { readonly running: number; readonly begun: number }
  /** Resolves when nothing is running. */
  readonly settled: () => Promise<void>
}

/** Returns a counter that starts at zero. */
export function inFlight(): InFlight {
  let count = 0
  let begun = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count++
      begun++
    },
    end() {
      if (--count > 0) return
      const resolves = waiting
      waiting = []
      for (const resolve of resolves) resolve()
    },
    counts: () => ({ running: count, begun }),
    settled: () => (count === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}
