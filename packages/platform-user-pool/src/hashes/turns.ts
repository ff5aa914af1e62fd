/** Lets costly work run one at a time. */
export interface Turns {
  /**
   * Runs work after everything that waits already.
   * @returns undefined, without running it, when too much is waiting
   */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result> | undefined
}

/**
 * Returns a queue in which work for the same key runs one at a time.
 * @param most how much work may wait or run, for all keys
 */
export function turnsByKey(most: number) {
  const last = new Map<string, Promise<unknown>>()
  let waiting = 0
  return {
    /**
     * Runs work after everything that waits for the same key already.
     * @returns undefined, without running it, when too much is waiting
     */
    take<Result>(key: string, work: () => Promise<Result>): Promise<Result> | undefined {
      if (waiting >= most) return undefined
      waiting++
      const result = (last.get(key) ?? Promise.resolve()).then(work).finally(() => {
        waiting--
        if (last.get(key) === settled) last.delete(key)
      })
      const settled = result.catch(() => {})
      last.set(key, settled)
      return result
    },
  }
}

/**
 * Returns a queue for costly work.
 * @param most how much work may wait or run
 */
export function turns(most: number): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    take(work) {
      if (waiting >= most) return undefined
      waiting++
      const result = last.then(work).finally(() => waiting--)
      last = result.catch(() => {})
      return result
    },
  }
}
