import type { Clock } from '@signalbox/core'
import type { Claimed } from './work-queue.ts'

/** The work that a worker does when it becomes due. Times are milliseconds since the epoch. */
export interface DueWork<Work> {
  /** The maximum number of pieces of work done at the same time. */
  readonly concurrency: number
  /** Claims due work, earliest first. */
  readonly claim: (now: number, limit: number) => Promise<Claimed<Work>>
  /** Does a piece of work, and ends its claim. */
  readonly run: (work: Work) => Promise<void>
  /** Ends the claim of work that failed unexpectedly. The work is due again at the given time. */
  readonly giveBack: (work: Work, dueAt: number, now: number) => Promise<void>
  /** Ends the claim of work that was not begun. */
  readonly unclaim: (work: Work) => Promise<void>
  /** Reports an unexpected error. */
  readonly failed: (error: unknown) => void
}

/** Does work when it becomes due, until it is stopped. */
export interface Worker {
  /** Makes the worker look for work that has become due. */
  readonly wake: () => void
  /**
   * Starts no more work. Resolves when all running work has ended, or after `grace` milliseconds. Later errors are not
   * reported.
   */
  readonly stop: (grace: number) => Promise<void>
}

/** Milliseconds until work is retried after an unexpected error, such as a failed write to the disk. */
const pauseAfterError = 60_000
/** Milliseconds until work is retried while the storage is unavailable. */
const pauseWithoutStorage = 1000

function pauseAfter(error: unknown): number {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return String(code).endsWith('UNAVAILABLE') ? pauseWithoutStorage : pauseAfterError
}

/** Starts a worker. It does not poll, but sleeps until the next work is due, or until `wake` is called. */
export function worker<Work>(
  { concurrency, claim, run, giveBack, unclaim, failed }: DueWork<Work>,
  { clock, machineClock }: { readonly clock: Clock; readonly machineClock: Clock },
): Worker {
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let looksAgain = false
  let cancel = () => {}
  let stopped = false
  let isOver = false

  const report = (error: unknown) => {
    if (!isOver) failed(error)
  }

  const start = (work: Work) => {
    const attempt = run(work)
      .catch((error: unknown) => {
        report(error)
        const now = clock.now()
        return giveBack(work, now + pauseAfter(error), now).catch(report)
      })
      .finally(() => {
        running.delete(attempt)
        wake()
      })
    running.add(attempt)
  }

  /**
   * Starts due work. Returns the time of the next search, or undefined to wait until something wakes the worker.
   */
  const look = async (): Promise<number | undefined> => {
    const free = concurrency - running.size
    // When a piece of work ends, it wakes the worker.
    if (free <= 0) return undefined
    try {
      const { work, nextAt } = await claim(clock.now(), free)
      // The worker was stopped during the search.
      if (stopped) for (const each of work) await unclaim(each)
      else for (const each of work) start(each)
      return nextAt
    } catch (error) {
      report(error)
      return clock.now() + pauseAfter(error)
    }
  }

  const lookUntilNothingChanges = async () => {
    let nextAt: number | undefined
    do {
      looksAgain = false
      nextAt = await look()
      // The search itself took time, and the next work can be due already.
      looksAgain ||= nextAt !== undefined && nextAt <= clock.now()
    } while (looksAgain && !stopped)
    if (nextAt !== undefined && !stopped) cancel = clock.after(nextAt - clock.now(), wake)
    looking = undefined
  }

  const wake = () => {
    if (stopped) return
    cancel()
    looksAgain = true
    looking ??= lookUntilNothingChanges()
  }

  return {
    wake,
    async stop(grace) {
      stopped = true
      cancel()
      await new Promise<void>(resolve => {
        const cancelGrace = machineClock.after(grace, resolve)
        const end = async () => {
          await looking
          await Promise.all(running)
          cancelGrace()
          resolve()
        }
        void end()
      })
      isOver = true
    },
  }
}
