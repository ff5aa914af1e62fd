import type { Clock } from '@signalbox/core'

/**
 * Returns a function that runs work when fewer than `limit` other pieces of work are running, in the order of arrival. It
 * resolves to undefined without running the work if that takes longer than `timeLimit` milliseconds.
 */
export function turns(limit: number, timeLimit: number, clock: Pick<Clock, 'after'>) {
  let running = 0
  const waiting = new Set<(isMine: boolean) => void>()
  const next = () => {
    const [first] = waiting
    if (first === undefined) running--
    else first(true)
  }
  const turn = async (): Promise<boolean> => {
    if (running < limit) {
      running++
      return true
    }
    return new Promise<boolean>(resolve => {
      const finish = (isMine: boolean) => {
        cancel()
        waiting.delete(finish)
        resolve(isMine)
      }
      const cancel = clock.after(timeLimit, () => finish(false))
      waiting.add(finish)
    })
  }
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (!(await turn())) return undefined
    try {
      return await work()
    } finally {
      next()
    }
  }
}
