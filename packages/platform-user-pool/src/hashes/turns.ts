/** Lets costly work run one at a time. */
export interface Turns {
  /**
   * Runs work after everything that waits already.
   * @returns undefined, without running it, when too much is waiting
   */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result> | undefined
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
