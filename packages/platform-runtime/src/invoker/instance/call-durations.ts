import type { Clock } from '@signalbox/core'

/** Milliseconds that a call may wait in an instance, judging by the average duration of the recent calls. */
const waitLimit = 10

/** The average before the first call, in milliseconds. Seven short calls bring it below `waitLimit`. */
const unknown = 20

/** The average after a call that stalled, in milliseconds. More than twenty short calls bring it below `waitLimit`. */
const stalled = 100

export interface CallDurations {
  readonly begin: () => void
  readonly end: () => void
  /** Records that the running call takes much longer than the recent ones. */
  readonly stall: () => void
  /** Returns whether a call that waits for this number of calls would probably wait for a short time. */
  readonly isShort: (calls: number) => boolean
}

/** Keeps a moving average of the durations of an instance's calls. */
export function callDurations(clock: Clock): CallDurations {
  let average = unknown
  let began = 0
  return {
    begin() {
      began = clock.now()
    },
    end() {
      average += (clock.now() - began - average) / 10
    },
    stall() {
      average = stalled
    },
    isShort: calls => calls * average < waitLimit,
  }
}
