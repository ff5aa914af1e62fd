import { inFlightLimits } from '../queue-rules.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { QueueRow } from './rows/queue-rows.ts'

/**
 * Limits the number of messages in flight. Counting them at every receive request would be slow with many messages, so
 * an upper bound is kept instead. Received messages increase the bound. When the bound reaches the limit, the exact
 * number replaces it.
 */
export function inFlightLimit(messages: MessageRows) {
  const bounds = new Map<number, number>()
  return {
    /** Returns how many of the requested messages can be received. */
    available(queue: QueueRow, now: number, wanted: number): number {
      const limit = inFlightLimits[queue.fifo ? 'fifo' : 'standard']
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
