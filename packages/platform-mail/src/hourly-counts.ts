import type { Clock } from '@signalbox/core'

/** Counts what happens under each name, such as the refused recipients of each client. */
export interface HourlyCounts {
  readonly add: (name: string) => void
  /** Returns whether a name has reached the limit within the last hour. */
  readonly isOver: (name: string) => boolean
}

const hour = 60 * 60_000

/** The maximum number of names with a count at the same time. Beyond this number, the oldest count is dropped. */
const namesLimit = 10_000

/**
 * Counts in memory.
 * @param limit the maximum count within an hour after the first one
 */
export function hourlyCounts(limit: number, clock: Pick<Clock, 'now'>): HourlyCounts {
  const counts = new Map<string, { count: number; readonly until: number }>()
  const current = (name: string) => {
    const found = counts.get(name)
    if (found === undefined || clock.now() < found.until) return found
    counts.delete(name)
    return undefined
  }
  return {
    add(name) {
      const entry = current(name)
      if (entry !== undefined) {
        entry.count++
        return
      }
      const [oldest] = counts.keys()
      if (counts.size >= namesLimit && oldest !== undefined) counts.delete(oldest)
      counts.set(name, { count: 1, until: clock.now() + hour })
    },
    isOver: name => (current(name)?.count ?? 0) >= limit,
  }
}
