import type { Clock } from '@signalbox/core'

/** Who waits for messages of which queue. */
export function arrivals(clock: Clock) {
  const waiting = new Map<string, Set<() => void>>()
  const announce = (queue: string): void => {
    const all = waiting.get(queue)
    if (all === undefined) return
    waiting.delete(queue)
    for (const wake of all) wake()
  }
  return {
    /** Something came into a queue, or came back. */
    announce,

    /** Resolves when something comes, at a time, or when the signal is aborted, whichever is first. */
    until(queue: string, time: number, signal: AbortSignal | undefined): Promise<void> {
      return new Promise(resolve => {
        const all = waiting.get(queue) ?? new Set()
        waiting.set(queue, all)
        const wake = () => {
          cancel()
          all.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const cancel = clock.after(time - clock.now(), wake)
        all.add(wake)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },

    /** Wakes everybody. */
    end(): void {
      for (const queue of [...waiting.keys()]) announce(queue)
    },
  }
}
