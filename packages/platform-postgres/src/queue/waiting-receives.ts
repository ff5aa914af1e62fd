import type { Clock } from '@signalbox/core'
import { longPolls } from '@signalbox/platform-queue/store'

/** A receive request, which looks for messages several times. */
interface WaitingReceive<Message> {
  /** The maximum time to wait for a first message, in milliseconds. */
  readonly wait: number
  /** Ends the receive request, which then returns nothing. */
  readonly signal?: AbortSignal | undefined
  /** Takes messages that are ready. */
  readonly take: () => Promise<readonly Message[]>
  /**
   * Returns the number of milliseconds after which to look again, even if no message arrives.
   * @param elapsed milliseconds since the last look began
   */
  readonly nextReady: (elapsed: number) => Promise<number>
}

/**
 * Returns the receive requests of this platform that wait for messages.
 * @param clock measures waiting times. It never decides what another platform may do.
 */
export function waitingReceives(clock: Clock) {
  const { wakeOne, wakeAll, wait: waitFor, end } = longPolls(clock)
  /** The number of arrivals in each queue, as far as this platform knows. */
  const arrivals = new Map<string, number>()
  let closed = false

  return {
    /** Wakes one receive request that waits on a queue, because a message arrived or became visible again. */
    wake(queue: string): void {
      arrivals.set(queue, (arrivals.get(queue) ?? 0) + 1)
      wakeOne(queue)
    },
    wakeAll,

    /** Takes messages as soon as any are ready. Returns an empty array if no message arrives in time. */
    async receive<Message>(
      queue: string,
      { wait, signal, take, nextReady }: WaitingReceive<Message>,
    ): Promise<readonly Message[]> {
      const deadline = clock.now() + wait
      for (let woken = false; ; ) {
        if (signal?.aborted || closed) {
          // Another waiting receive request may be able to take the message, so that request is woken.
          if (woken) wakeOne(queue)
          return []
        }
        const now = clock.now()
        const arrivalsBefore = arrivals.get(queue)
        const messages = await take()
        if (messages.length > 0) {
          // There may be more messages than this request asked for, so another one is woken.
          if (woken) wakeOne(queue)
          return messages
        }
        if (now >= deadline) return []
        const due = await nextReady(Math.ceil(clock.now() - now))
        if (signal?.aborted || closed) continue
        // The query may have taken long, so the remaining time is computed again.
        const left = deadline - clock.now()
        if (left <= 0) return []
        // A message that arrived between the query and this wait has woken no request, so this request looks again.
        woken = arrivals.get(queue) !== arrivalsBefore
        if (!woken) woken = await waitFor(queue, left, due, signal)
      }
    },

    /** Ends all waiting receive requests. Later requests do not wait. */
    end(): void {
      closed = true
      end()
    },
  }
}
