import { notAnAnswer } from './not-an-answer.ts'

/** The source of time and timers. Tests replace the clock to let hours pass in a millisecond. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `run` once after `ms` milliseconds. The returned function cancels the timer. */
  after(ms: number, run: () => void): () => void
}

// If the delay of a timer does not fit into 31 bits, Node fires the timer at once and prints a warning.
const longestDelay = 2 ** 31 - 1

/** The greatest difference so far between the wall clock and the monotonic clock. */
let origin = 0

/** The latest time that the clock returned. */
let latest = 0

/** The latest time of the wall clock. */
let latestWall = 0

/**
 * The machine's clock. It never goes backwards: after the wall clock is set back, this clock continues at its usual
 * pace. Otherwise, setting the wall clock back an hour would delay a timer of one second by an hour.
 */
export const systemClock: Clock = /* @__PURE__ */ notAnAnswer('a clock', {
  now(): number {
    // The wall clock is read first. If the monotonic clock were read first, a pause between the two readings would be
    // counted twice.
    const wall = Date.now()
    // A batch reads the clock for each message, so most readings are within one millisecond of the wall clock.
    if (wall !== latestWall) {
      latestWall = wall
      const monotonic = performance.now()
      origin = Math.max(origin, wall - monotonic)
      // The sum is at least the wall clock, despite rounding. It can be less than the latest time only when a test sets
      // the monotonic clock back.
      latest = Math.max(latest, Math.floor(origin + monotonic))
    }
    return latest
  },
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestDelay))
    return () => clearTimeout(timer)
  },
})
