import type { Clock } from '@signalbox/core'

/** A pending time-out. Most time-outs are cancelled before they fire. */
interface Deadline {
  /** The time at which the deadline fires, as the clock measures it. */
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
 * Creates deadlines for work that usually ends within the same turn of the event loop. A timer is created only after
 * that turn and only for work that still runs, because no timer could fire earlier.
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
