import type { Clock } from '@signalbox/core'

/** Counts the refused recipients of each client. */
export interface RefusedRecipients {
  readonly add: (network: string) => void
  /** Returns whether a client has reached the limit within the last hour. */
  readonly isOver: (network: string) => boolean
}

const hour = 60 * 60_000

/** The maximum number of clients with a count at the same time. Beyond this number, the oldest count is dropped. */
const clientsLimit = 10_000

/**
 * Counts refused recipients in memory.
 * @param limit the maximum number of refused recipients within an hour after the first one
 */
export function refusedRecipients(limit: number, clock: Pick<Clock, 'now'>): RefusedRecipients {
  const counts = new Map<string, { count: number; readonly until: number }>()
  const current = (network: string) => {
    const found = counts.get(network)
    if (found === undefined || clock.now() < found.until) return found
    counts.delete(network)
    return undefined
  }
  return {
    add(network) {
      const entry = current(network)
      if (entry !== undefined) {
        entry.count++
        return
      }
      const [oldest] = counts.keys()
      if (counts.size >= clientsLimit && oldest !== undefined) counts.delete(oldest)
      counts.set(network, { count: 1, until: clock.now() + hour })
    },
    isOver: network => (current(network)?.count ?? 0) >= limit,
  }
}
