import type { MessageRows } from './message-rows.ts'
import type { QueueRow } from './queue-rows.ts'

/** Messages of a queue that may be in flight at a time, as on stock services. */
const standardLimit = 120_000
const fifoLimit = 20_000

/**
 * How many more messages may be in flight. To count them at every receive would make receiving slower the more there
 * are, so only an upper bound is known: it counts what is received, and is replaced by the exact number when it
 * reaches the limit.
 */
export function inFlightLimit(messages: MessageRows) {
  const bounds = new Map<number, number>()
  return {
    /** Of so many messages those that may be received. */
    available(queue: QueueRow, now: number, wanted: number): number {
      const limit = queue.fifo ? fifoLimit : standardLimit
      let bound = bounds.get(queue.id) ?? limit
      if (bound + wanted > limit) {
        bound = messages.inFlight(queue, now)
        bounds.set(queue.id, bound)
      }
      return Math.max(0, Math.min(wanted, limit - bound))
    },
    add(queue: QueueRow, count: number): void {
      const bound = bounds.get(queue.id)
      if (bound !== undefined) bounds.set(queue.id, bound + count)
    },
    forget: (queue: QueueRow): void => void bounds.delete(queue.id),
  }
}
