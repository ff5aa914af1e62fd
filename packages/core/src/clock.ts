import { notAnAnswer } from './not-an-answer.ts'

/** Time as the rest of the code sees it, so that tests can let four hours pass in a millisecond. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

// Node fires at once, and warns, when a delay does not fit into 31 bits.
const longestDelay = 2 ** 31 - 1

/** The wall clock's time at zero of the monotonic clock: the latest that was ever seen. */
let origin = 0

/** What the clock said last. */
let latest = 0

/**
 * The machine's own clock, which follows the wall clock except backwards: when that is set back, time goes on from
 * where it was at its usual pace, until the process ends. Otherwise everything that is due in a second would be due in
 * an hour and a second after a correction of an hour.
 */
export const systemClock: Clock = /* @__PURE__ */ notAnAnswer('a clock', {
  now(): number {
    // The wall clock is read first: in the other order, a pause between the two would be counted twice.
    const wall = Date.now()
    const monotonic = performance.now()
    origin = Math.max(origin, wall - monotonic)
    // The sum may be a rounding error less than what it was made of.
    latest = Math.max(latest, wall, Math.floor(origin + monotonic))
    return latest
  },
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestDelay))
    return () => clearTimeout(timer)
  },
})
