import type { Clock } from '../clock.ts'

/** A clock that stands still until it is advanced. */
export interface ManualClock extends Clock {
  /**
   * Lets `ms` milliseconds pass. Due timers run in order of time; after each timer, pending promises are settled before
   * the next one runs.
   * @param settled called before the first timer and after each one; resolves when what the timer began has ended.
   * Default: one turn of the event loop
   */
  advance(ms: number, settled?: () => Promise<void>): Promise<void>
  /** Sets the wall clock forward by `ms` milliseconds, or back if negative. No time passes and no timer runs. */
  jump(ms: number): void
  /** The number of timers that are waiting. */
  readonly waiting: number
}

/** Options of `manualClock`. */
export interface ManualClockOptions {
  /**
   * Whether a timer of zero milliseconds runs by itself, as with `setTimeout`, because something outside the test is
   * waiting for it. Default false: every timer waits for `advance`.
   */
  readonly runsDueTimers?: boolean
}

/**
 * Returns a clock for tests, starting at `start` milliseconds since the epoch.
 * @example
 * const clock = manualClock(Date.parse('2026-01-01'))
 * await clock.advance(60_000)
 */
export function manualClock(start = 0, { runsDueTimers = false }: ManualClockOptions = {}): ManualClock {
  let time = start
  let jumped = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const nextUntil = (end: number) => {
    let next: { readonly at: number; readonly run: () => void } | undefined
    for (const timer of timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer
    }
    return next
  }
  return {
    now: () => time,
    wall: (at = time) => at + jumped,
    jump(ms) {
      jumped += ms
    },
    after(ms, run) {
      const timer = { at: time + Math.max(ms, 0), run }
      timers.add(timer)
      if (runsDueTimers && ms <= 0)
        setImmediate(() => {
          if (timers.delete(timer)) run()
        })
      return () => void timers.delete(timer)
    },
    get waiting() {
      return timers.size
    },
    async advance(ms, settled = turn) {
      const end = time + ms
      await settled()
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer)
        time = timer.at
        timer.run()
        await settled()
      }
      time = end
    },
  }
}

// One turn of the event loop runs all pending microtasks, including those that they add.
const turn = () => new Promise<void>(resolve => setImmediate(resolve))
