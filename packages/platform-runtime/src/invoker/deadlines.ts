import type { Clock } from '@signalbox/core'

/** A time-out. Most time-outs are cancelled before they fire. */
interface Deadline {
  /** The clock's time. */
  readonly at: number
  readonly run: () => void
  over: boolean
  cancel: (() => void) | undefined
}

/** Calls a function at a given time, unless the call is cancelled first. */
export interface Deadlines {
  readonly set: (at: number, run: () => void) => Deadline
  readonly callOff: (deadline: Deadline) => void
}

/**
 * Deadlines of work that usually ends within the same turn of the event loop. Timers are created after that turn,
 * only for work that still runs, because no timer could fire earlier.
 */
export function deadlines(clock: Clock): Deadlines {
  let fresh: Deadline[] = []

  const arm = () => {
    const open = fresh
    fresh = []
    for (const deadline of open) {
      if (deadline.over) continue
      const left = deadline.at - clock.now()
      if (left > 0) deadline.cancel = clock.after(left, deadline.run)
      else deadline.run()
    }
  }

  return {
    set(at, run) {
      const deadline: Deadline = { at, run, over: false, cancel: undefined }
      if (fresh.push(deadline) === 1) setImmediate(arm)
      return deadline
    },
    callOff(deadline) {
      deadline.over = true
      deadline.cancel?.()
    },
  }
}
