/** Time as the rest of the code sees it, so that tests can let four hours pass in a millisecond. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

// Node fires at once, and warns, when a delay does not fit into 31 bits.
const longestDelay = 2 ** 31 - 1

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestDelay))
    return () => clearTimeout(timer)
  },
}
