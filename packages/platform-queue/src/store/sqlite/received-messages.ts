import { QueueStoreError } from '../queue-store-error.ts'
import { readReceiptHandle } from '../receipt-handle.ts'
import {
  expiredReceiptHandle,
  foreignReceiptHandle,
  notInFlight,
  timeoutRefusal,
  totalTimeoutRefusal,
  unknownReceipt,
} from '../receipt-rules.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { QueueRow } from './rows/queue-rows.ts'

/** Deletes or hides received messages by their receipt handles. */
export function receivedMessages(messages: MessageRows) {
  /** Finds the message of a receipt handle, and whether the handle is the latest one. */
  const named = (queue: QueueRow, receiptHandle: string) => {
    const read = readReceiptHandle(receiptHandle)
    if (read === undefined || read.queue !== queue.id) return foreignReceiptHandle(receiptHandle)
    const claim = messages.visibility(queue, read.message)
    return { id: read.message, claim, last: claim !== undefined && claim.receipt === read.nonce }
  }

  return {
    /** Deletes a message. Calls `touched` with the FIFO group that lost it. */
    deleteMessage(
      queue: QueueRow,
      receiptHandle: string,
      now: number,
      touched: (fifoGroup: string) => void,
    ): QueueStoreError | undefined {
      const found = named(queue, receiptHandle)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined) return undefined
      if (queue.fifo && (!last || claim.visible_at <= now)) return expiredReceiptHandle(receiptHandle)
      if (!last) return undefined
      messages.remove(id)
      if (claim.fifo_group !== null) touched(claim.fifo_group)
      return undefined
    },

    /**
     * Hides a message for some time. A standard queue accepts any receipt handle of the message at any time. A FIFO
     * queue accepts only the latest one while the message is in flight, because another receiver might rely on the
     * order.
     * @param touched is called with the FIFO group whose message becomes visible at another time
     */
    changeVisibility(
      queue: QueueRow,
      receiptHandle: string,
      timeout: number,
      now: number,
      touched: (fifoGroup: string) => void,
    ): QueueStoreError | undefined {
      const refused = timeoutRefusal(timeout)
      if (refused !== undefined) return refused
      const found = named(queue, receiptHandle)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined || claim.receipt === null || (queue.fifo && !last))
        return unknownReceipt(receiptHandle)
      if (queue.fifo && claim.visible_at <= now) return notInFlight()
      const tooLong = totalTimeoutRefusal(now - (claim.received_at ?? now), timeout)
      if (tooLong !== undefined) return tooLong
      messages.hide(id, now + timeout)
      if (claim.fifo_group !== null) touched(claim.fifo_group)
      return undefined
    },
  }
}
