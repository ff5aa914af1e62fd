import type { Clock } from '@signalbox/core'

/** The receives that wait for messages of a queue, and a timer for its next hidden message. */
interface WaitingReceives {
  readonly wakes: Set<(byArrival: boolean) => void>
  due: { readonly at: number; readonly cancel: () => void } | undefined
}

/**
 * Keeps the receive calls that wait for messages. A new message wakes only one of them, because a thousand waiting
 * receives would otherwise cause a thousand searches. A receive request that was woken calls `wakeOne` if there might
 * be more messages.
 */
export function longPolls(clock: Clock) {
  const queues = new Map<string, WaitingReceives>()

  const remove = (queue: string, wake: (byArrival: boolean) => void) => {
    const all = queues.get(queue)!
    all.wakes.delete(wake)
    if (all.wakes.size > 0) return
    all.due?.cancel()
    queues.delete(queue)
  }

  /** Wakes one receive request of a queue, because a message arrived or became visible again. */
  const wakeOne = (queue: string): void => {
    const [first] = queues.get(queue)?.wakes ?? []
    first?.(true)
  }

  return {
    wakeOne,

    /**
     * Waits for a number of milliseconds. Resolves to true when a message might have arrived, and to false on timeout
     * or abort.
     * @param due milliseconds until the next hidden message becomes visible; undefined if there are no hidden messages
     */
    wait(
      queue: string,
      ms: number,
      due: number | undefined,
      signal: AbortSignal | undefined,
    ): Promise<boolean> {
      return new Promise(resolve => {
        const all: WaitingReceives = queues.get(queue) ?? { wakes: new Set(), due: undefined }
        queues.set(queue, all)
        const wake = (byArrival: boolean) => {
          cancel()
          remove(queue, wake)
          signal?.removeEventListener('abort', end)
          resolve(byArrival)
        }
        const end = () => wake(false)
        const cancel = clock.after(ms, end)
        all.wakes.add(wake)
        signal?.addEventListener('abort', end, { once: true })
        const at = due === undefined ? Number.POSITIVE_INFINITY : clock.now() + due
        if (due === undefined || (all.due !== undefined && all.due.at <= at)) return
        all.due?.cancel()
        const isDue = () => {
          all.due = undefined
          wakeOne(queue)
        }
        all.due = { at, cancel: clock.after(due, isDue) }
      })
    },

    /** Wakes all receive requests of a queue. */
    wakeAll(queue: string): void {
      for (const wake of [...(queues.get(queue)?.wakes ?? [])]) wake(true)
    },

    /** Wakes all receive requests of all queues. */
    end(): void {
      for (const { wakes } of [...queues.values()]) for (const wake of [...wakes]) wake(false)
    },
  }
}
