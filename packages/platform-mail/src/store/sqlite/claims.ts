/** Ensures that due work is not given to two workers. Times are milliseconds since the epoch. */
export interface Claims {
  /**
   * Claims some of the items that are due.
   * @param due returns due items up to a limit, including claimed items
   * @param keyOf returns the key that identifies an item. Default: the item itself
   */
  readonly claim: (
    now: number,
    limit: number,
    due: (limit: number) => readonly string[],
    keyOf?: (item: string) => string,
  ) => readonly string[]
  /** Ends a claim. The item can be claimed again at the given time, or at once by default. */
  readonly end: (key: string, from?: number) => void
  /** Returns the earlier of the given time and the first time after `now` at which an item can be claimed again. */
  readonly earliest: (time: number | undefined, now: number) => number | undefined
}

/** Keeps the claims of one process in memory. */
export function claims(): Claims {
  /** The time at which each item can be claimed again, which is infinity while a claim lasts. */
  const blockedUntil = new Map<string, number>()
  return {
    claim(now, limit, due, keyOf = item => item) {
      for (const [key, until] of blockedUntil) if (until <= now) blockedUntil.delete(key)
      const free = due(limit + blockedUntil.size).filter(item => !blockedUntil.has(keyOf(item)))
      const claimed = free.slice(0, limit)
      for (const item of claimed) blockedUntil.set(keyOf(item), Number.POSITIVE_INFINITY)
      return claimed
    },
    end(key, from) {
      if (from === undefined) blockedUntil.delete(key)
      else blockedUntil.set(key, from)
    },
    earliest(time, now) {
      const times = [...blockedUntil.values(), time ?? Number.POSITIVE_INFINITY].filter(each => each > now)
      const first = Math.min(...times)
      return Number.isFinite(first) ? first : undefined
    },
  }
}
