import type { Clock } from '@signalbox/core'

/** Milliseconds to wait after the first failure. Each further failure doubles the pause. */
const firstPause = 250
const longestPause = 30_000

/** Increasing pauses while something fails. */
export interface Backoff {
  readonly isFailing: () => boolean
  readonly failed: () => void
  readonly succeeded: () => void
  /** Resolves at once on abort, and while nothing fails. */
  readonly pause: (signal: AbortSignal) => Promise<void>
}

export function backoff(clock: Clock): Backoff {
  let failures = 0
  return {
    isFailing: () => failures > 0,
    failed() {
      failures++
    },
    succeeded() {
      failures = 0
    },
    pause: signal =>
      new Promise<void>(resolve => {
        if (failures === 0 || signal.aborted) return resolve()
        const cancel = clock.after(Math.min(longestPause, firstPause * 2 ** (failures - 1)), done)
        signal.addEventListener('abort', done)
        function done() {
          cancel()
          signal.removeEventListener('abort', done)
          resolve()
        }
      }),
  }
}
