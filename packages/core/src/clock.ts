import { notAnAnswer } from './not-an-answer.ts'

/**
 * The source of time and timers, with two readings: `now()` for durations and due times, `wall()` for what is compared
 * with the clocks of others or written for them. Tests replace the clock to let hours pass in a millisecond.
 */
export interface Clock {
  /**
   * Milliseconds since the epoch on a clock that never jumps: the wall clock's time at the first reading, and what has
   * passed since. Durations and due times use it, because the wall clock can be set at any moment.
   */
  now(): number
  /**
   * The wall clock's time at a moment of `now()`, in milliseconds since the epoch. Signatures, `iat` and `exp`, dates
   * and logs use it.
   * @param at the moment. Default: the present
   */
  wall(at?: number): number
  /** Calls `run` once after `ms` milliseconds. The returned function cancels the timer. */
  after(ms: number, run: () => void): () => void
}

// If the delay of a timer does not fit into 31 bits, Node fires the timer at once and prints a warning.
const longestDelay = 2 ** 31 - 1

/**
 * The least number of milliseconds that counts as a jump of the wall clock. Without it, rounding would give one moment,
 * such as the time at which a message was sent, several wall times.
 */
const smallestJump = 100

/** The wall clock's time when the monotonic clock was zero, as of the first reading. */
let origin: number | undefined

/** The latest reading of the monotonic clock. */
let latest = 0

/** The milliseconds by which the wall clock has jumped since the first reading. */
let jumped = 0

/**
 * The machine's clock. Its `now()` follows the monotonic clock: setting the wall clock neither fires nor delays a due
 * time, and time in which the machine sleeps does not pass.
 */
export const systemClock: Clock = /* @__PURE__ */ notAnAnswer('a clock', {
  now(): number {
    // Node loads its whole performance API, which takes two milliseconds, at the first use of `performance`.
    const [seconds, nanoseconds] = process.hrtime()
    const monotonic = seconds * 1000 + nanoseconds / 1_000_000
    origin ??= Date.now() - monotonic
    // Fake timers of a test start their monotonic clock at zero again.
    if (monotonic < latest) origin += latest - monotonic
    latest = monotonic
    return Math.floor(origin + monotonic)
  },
  wall(at?: number): number {
    const now = systemClock.now()
    const difference = Date.now() - now
    if (Math.abs(difference - jumped) >= smallestJump) jumped = difference
    return (at ?? now) + jumped
  },
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestDelay))
    return () => clearTimeout(timer)
  },
})
