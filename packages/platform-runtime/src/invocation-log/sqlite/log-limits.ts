import { logTime } from '../../storage/log-time.ts'
import type { InvocationLogOptions } from '../invocation-log.ts'
import type { storedLog } from './stored-log.ts'

/** Milliseconds between two searches for entries that are too old. */
const ageCheckInterval = 60_000

/** The maximum number of entries that one transaction deletes. */
const deletedAtOnce = 1000

/** The shares of the size limit at which deletion begins and ends. The next entries need the space between. */
const [fullShare, freedShare] = [0.95, 0.9]

/** The number of bytes, at least, that are freed for new entries on a disk that is nearly full. */
const leastFreed = 1024 * 1024

/** Keeps a log within its limits. The oldest entries are deleted first. */
export function logLimits(
  { table, index, write, sizes, shrink }: ReturnType<typeof storedLog>,
  { limits, clock }: Pick<InvocationLogOptions, 'limits' | 'clock'>,
) {
  let lastAgeCheck = Number.NEGATIVE_INFINITY

  /** Deletes the oldest entries until the log has at most this size. */
  const reduceTo = (most: number) => {
    let left = table.length()
    while (left > 0 && sizes().log > most) {
      // A small part at once, because entries differ in size.
      const count = Math.min(deletedAtOnce, Math.ceil(left / 50))
      write(() => {
        table.removeOldest(count)
        index.prune()
      }, 'essential')
      left = table.length()
    }
  }

  const removeOld = (now: number) => {
    const time = logTime(clock) - limits.age
    let removed: number
    do {
      removed = 0
      write(() => {
        removed = table.removeBefore(time, now, deletedAtOnce)
        index.prune()
        if (removed < deletedAtOnce) table.removeUnusedFacts()
      }, 'essential')
    } while (removed === deletedAtOnce)
  }

  return {
    /** Deletes entries that are too old or too many. */
    apply(): void {
      const now = clock.now()
      // The clock may have been set back.
      if (Math.abs(now - lastAgeCheck) >= ageCheckInterval) {
        removeOld(now)
        lastAgeCheck = now
      }
      const { log, file } = sizes()
      if (log > limits.size * fullShare) reduceTo(limits.size * freedShare)
      if (file > limits.size * 1.05) shrink()
    },

    /** Deletes entries, so that new ones can be written on a disk that is nearly full. */
    free(): void {
      const { log } = sizes()
      reduceTo(log - Math.max(log / 10, leastFreed))
    },
  }
}
