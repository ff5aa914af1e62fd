import type { Clock } from '@signalbox/core'

/** A moment that mostly never comes. */
interface Deadline {
  /** The clock's time. */
  readonly at: number
  readonly run: () => void
  over: boolean
  cancel: (() => void) | undefined
}

/** Calls something at a time, unless it is called off before. */
export interface Deadlines {
  readonly set: (at: number, run: () => void) => Deadline
  readonly callOff: (deadline: Deadline) => void
}

/**
 * Deadlines of work that is mostly done before this turn of the event loop is over. No timer can go off before that
 * either, so those that are needed are only made then.
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
