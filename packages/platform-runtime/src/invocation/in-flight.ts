/** Counts the work that is running. */
export interface InFlight {
  readonly begin: () => void
  readonly end: () => void
  /** Resolves when nothing is running. */
  readonly settled: () => Promise<void>
}

/** Returns a counter that starts at zero. */
export function inFlight(): InFlight {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count++
    },
    end() {
      if (--count > 0) return
      const resolves = waiting
      waiting = []
      for (const resolve of resolves) resolve()
    },
    settled: () => (count === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}
