import type { SourceContext } from '@signalbox/platform-runtime'
import type { Claimed } from '../store/mail-store.ts'
import { isUnavailable } from '../store/mail-store-error.ts'

/** The items that a worker processes when they become due. Times are milliseconds since the epoch. */
export interface DueWork<Item> {
  /** The maximum number of items processed at the same time. */
  readonly concurrency: number
  /** Claims due items, earliest first. */
  readonly claim: (now: number, limit: number) => Promise<Claimed<Item>>
  /** Processes an item, and ends its claim. */
  readonly run: (item: Item) => Promise<void>
  /** Releases an item after an unexpected failure. It is due again at the given time. */
  readonly returnClaim: (item: Item, dueAt: number) => Promise<void>
  /** Reports an unexpected error. */
  readonly failed: (error: unknown) => void
}

/** Does work when it becomes due, until it is stopped. */
export interface Worker {
  /** Makes the worker look for work that has become due. */
  readonly wake: () => void
  /** Starts no more items. Resolves when all running work has ended, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** Milliseconds until work is retried after an unexpected error, such as a failed write to the disk. */
const pauseAfterError = 60_000
/** Milliseconds until work is retried while the mail storage is unavailable. */
const pauseWithoutStorage = 1000

const pauseAfter = (error: unknown) => (isUnavailable(error) ? pauseWithoutStorage : pauseAfterError)

/** Starts a worker. It does not poll, but sleeps until the next item is due, or until `wake` is called. */
export function worker<Item>(
  { concurrency, claim, run, returnClaim, failed }: DueWork<Item>,
  { clock, machineClock }: Pick<SourceContext, 'clock' | 'machineClock'>,
): Worker {
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let looksAgain = false
  let cancel = () => {}
  let stopped = false

  const start = (item: Item) => {
    const work = run(item)
      .catch((error: unknown) => {
        failed(error)
        return returnClaim(item, clock.now() + pauseAfter(error)).catch(failed)
      })
      .finally(() => {
        running.delete(work)
        wake()
      })
    running.add(work)
  }

  /**
   * Starts due items. Returns the time of the next search, or undefined to wait until something wakes the worker.
   */
  const look = async (): Promise<number | undefined> => {
    const free = concurrency - running.size
    // When an item ends, it wakes the worker.
    if (free <= 0) return undefined
    try {
      const now = clock.now()
      const { work, nextAt } = await claim(now, free)
      // The worker was stopped during the search.
      if (stopped) for (const item of work) await returnClaim(item, now)
      else for (const item of work) start(item)
      return nextAt
    } catch (error) {
      failed(error)
      return clock.now() + pauseAfter(error)
    }
  }

  const lookUntilNothingChanges = async () => {
    let nextAt: number | undefined
    do {
      looksAgain = false
      nextAt = await look()
      // The search itself took time, and the next item can be due already.
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
    stop(grace) {
      stopped = true
      cancel()
      return new Promise(resolve => {
        const cancelGrace = machineClock.after(grace, resolve)
        const end = async () => {
          await looking
          await Promise.all(running)
          cancelGrace()
          resolve()
        }
        void end()
      })
    },
  }
}
