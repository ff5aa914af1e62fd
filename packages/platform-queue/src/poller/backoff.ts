import type { Clock } from '@signalbox/core'
import { QueueStoreError } from '../store/queue-store-error.ts'

/** The delay after the first failure in milliseconds. Each further failure doubles it. */
const firstPause = 250
const longestPause = 30_000
/**
 * The longest delay while the queue store is unavailable. It is short, so that polling continues soon after the store
 * is available again.
 */
const longestPauseWithoutStore = 2000

/** Delays that grow with repeated failures. */
export interface Backoff {
  readonly isFailing: () => boolean
  readonly failed: (error?: unknown) => void
  readonly succeeded: () => void
  /** Waits for the current delay. Resolves immediately on abort, and if the last attempt succeeded. */
  readonly pause: (signal: AbortSignal) => Promise<void>
  /** Forgets all failures, and ends the pauses. */
  readonly reset: () => void
}

export function backoff(clock: Clock): Backoff {
  let failures = 0
  let longest = longestPause
  const pausing = new Set<() => void>()
  return {
    isFailing: () => failures > 0,
    failed(error) {
      failures++
      const isAway = error instanceof QueueStoreError && error.code === 'UNAVAILABLE'
      longest = isAway ? longestPauseWithoutStore : longestPause
    },
    succeeded() {
      failures = 0
    },
    pause: signal =>
      new Promise<void>(resolve => {
        if (failures === 0 || signal.aborted) return resolve()
        const cancel = clock.after(Math.min(longest, firstPause * 2 ** (failures - 1)), done)
        pausing.add(done)
        signal.addEventListener('abort', done)
        function done() {
          cancel()
          pausing.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
      }),
    reset() {
      failures = 0
      for (const done of [...pausing]) done()
    },
  }
}
