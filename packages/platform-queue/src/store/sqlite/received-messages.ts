import { attributeBounds } from '../queue-attributes.ts'
import { invalidValue, QueueStoreError } from '../queue-store-error.ts'
import { readReceiptHandle } from './receipt-handle.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { QueueRow } from './rows/queue-rows.ts'

const [shortest, longest] = attributeBounds.visibilityTimeout

/** Deletes and hides received messages by their receipt handles. */
export function receivedMessages(messages: MessageRows) {
  /** Finds the message of a receipt handle, and whether the handle is the latest one. */
  const named = (queue: QueueRow, receiptHandle: string) => {
    const read = readReceiptHandle(receiptHandle)
    if (read === undefined || read.queue !== queue.id)
      return new QueueStoreError(
        'RECEIPT_HANDLE_INVALID',
        `The input receipt handle "${receiptHandle.slice(0, 256)}" is not a valid receipt handle.`,
      )
    const claim = messages.visibility(queue, read.message)
    return { id: read.message, claim, last: claim !== undefined && claim.receipt === read.nonce }
  }

  return {
    /** Calls `touched` with the FIFO group that lost a message. */
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
      if (queue.fifo && (!last || claim.visible_at <= now))
        return invalidValue(
          receiptHandle,
          'ReceiptHandle',
          'The receipt handle has expired.',
          'RECEIPT_HANDLE_EXPIRED',
        )
      if (!last) return undefined
      messages.remove(id)
      if (claim.fifo_group !== null) touched(claim.fifo_group)
      return undefined
    },

    /**
     * A standard queue accepts any receipt handle of the message at any time. A FIFO queue accepts only the latest
     * one, while the message is in flight, because another receiver may rely on the order.
     * @param touched is called with the FIFO group whose message becomes visible at another time
     */
    changeVisibility(
      queue: QueueRow,
      receiptHandle: string,
      timeout: number,
      now: number,
      touched: (fifoGroup: string) => void,
    ): QueueStoreError | undefined {
      const refuse = (reason: string) => invalidValue(timeout / 1000, 'VisibilityTimeout', reason)
      if (!Number.isInteger(timeout) || timeout < shortest || timeout > longest)
        return refuse(`Must be between ${shortest / 1000} and ${longest / 1000}.`)
      const found = named(queue, receiptHandle)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined || claim.receipt === null || (queue.fifo && !last))
        return invalidValue(
          receiptHandle,
          'ReceiptHandle',
          'Message does not exist or is not available for visibility timeout change.',
        )
      if (queue.fifo && claim.visible_at <= now)
        return new QueueStoreError('NOT_IN_FLIGHT', 'The message is not in flight.')
      // Clients count whole seconds, so an incomplete second does not count.
      const passed = Math.floor((now - (claim.received_at ?? now)) / 1000) * 1000
      if (timeout > 0 && passed + timeout > longest)
        return refuse(
          `Total VisibilityTimeout for the message is beyond the limit [${longest / 1000} seconds].`,
        )
      messages.hide(id, now + timeout)
      if (claim.fifo_group !== null) touched(claim.fifo_group)
      return undefined
    },
  }
}
