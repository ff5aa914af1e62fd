import { attributeBounds } from '../queue-attributes.ts'
import { invalidValue, QueueStoreError } from '../queue-store-error.ts'
import type { MessageRows } from './message-rows.ts'
import type { QueueRow } from './queue-rows.ts'
import { readReceiptHandle } from './receipt-handle.ts'

const [shortest, longest] = attributeBounds.visibilityTimeout

/** What the holder of a receipt may do with its message. */
export function receivedMessages(messages: MessageRows) {
  /** The message that a receipt names, and whether it is the last receipt of it. */
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
    /** `touched` is told of the fifoGroup that lost a message. */
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
     * Any receipt of a message of a standard queue will do, and at any time: what it says is done. In a FIFO queue it
     * has to be the last one, and the message in flight, since another holder may rely on the order.
     * @param touched is told of the fifoGroup whose message will be visible at another time
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
      // Clients count in seconds: one that is begun has not passed.
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
