import { notAnAnswer } from './not-an-answer.ts'

/** The source of time and timers. Tests replace it, so that hours pass in a millisecond. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

// Node fires at once, and warns, when a delay does not fit into 31 bits.
const longestDelay = 2 ** 31 - 1

/** The latest wall-clock time that was observed for the zero of the monotonic clock. */
let origin = 0

/** The latest time that the clock returned. */
let latest = 0

/**
 * The machine's clock. It never goes backwards: when the wall clock is set back, time continues from its latest value at
 * the usual pace until the process ends. Otherwise a timer of one second would take an hour and a second after the clock
 * was set back an hour.
 */
export const systemClock: Clock = /* @__PURE__ */ notAnAnswer('a clock', {
  now(): number {
    // The wall clock is read first: in the other order, a pause between the two would be counted twice.
    const wall = Date.now()
    const monotonic = performance.now()
    origin = Math.max(origin, wall - monotonic)
    // Rounding may make the sum less than the wall clock.
    latest = Math.max(latest, wall, Math.floor(origin + monotonic))
    return latest
  },
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestDelay))
    return () => clearTimeout(timer)
  },
})
