import type { Clock } from '@signalbox/core'

/** Those who wait for messages of a queue, and when the next message may come without any being sent. */
interface WaitingReceives {
  readonly wakes: Set<(byArrival: boolean) => void>
  due: { readonly at: number; readonly cancel: () => void } | undefined
}

/**
 * Who waits for messages of which queue. An arrival wakes one of them: if every one looked, a send among a thousand
 * long polls would cost a thousand searches. Whoever was woken passes it on with `wakeOne` when there may be more.
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

  /** Something came into a queue, or came back. */
  const wakeOne = (queue: string): void => {
    const [first] = queues.get(queue)?.wakes ?? []
    first?.(true)
  }

  return {
    wakeOne,

    /**
     * Waits for so many milliseconds. Resolves to true when something came, and to false when the time is over or the
     * signal is aborted.
     * @param due milliseconds after which something may be ready that is hidden now; undefined when nothing is
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

    /** Wakes all who wait for a queue. */
    wakeAll(queue: string): void {
      for (const wake of [...(queues.get(queue)?.wakes ?? [])]) wake(true)
    },

    /** Wakes everyone. */
    end(): void {
      for (const { wakes } of [...queues.values()]) for (const wake of [...wakes]) wake(false)
    },
  }
}
