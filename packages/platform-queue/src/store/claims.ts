import type { MessageRows } from './message-rows.ts'
import { attributeBounds } from './queue-attributes.ts'
import type { QueueRow } from './queue-rows.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'
import { readReceipt } from './receipt.ts'

const [shortest, longest] = attributeBounds.visibilityTimeout

/** What the holder of a receipt may do with its message. */
export function claims(messages: MessageRows) {
  /** The message that a receipt names, and whether it is the last receipt of it. */
  const named = (queue: QueueRow, receipt: string) => {
    const read = readReceipt(receipt)
    if (read === undefined || read.queue !== queue.id)
      return new QueueStoreError(
        'RECEIPT_INVALID',
        `The input receipt handle "${receipt.slice(0, 256)}" is not a valid receipt handle.`,
      )
    const claim = messages.claim(queue, read.message)
    return { id: read.message, claim, last: claim !== undefined && claim.receipt === read.nonce }
  }

  return {
    /** `touched` is told of the lane that lost a message. */
    remove(
      queue: QueueRow,
      receipt: string,
      now: number,
      touched: (lane: string) => void,
    ): QueueStoreError | undefined {
      const found = named(queue, receipt)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined) return undefined
      if (queue.fifo && (!last || claim.visible_at <= now))
        return invalidValue(receipt, 'ReceiptHandle', 'The receipt handle has expired.', 'RECEIPT_EXPIRED')
      if (!last) return undefined
      messages.remove(id)
      if (claim.lane !== null) touched(claim.lane)
      return undefined
    },

    /**
     * Any receipt of a message of a standard queue will do, and at any time: what it says is done. In a FIFO queue it
     * has to be the last one, and the message in flight, since another holder may rely on the order.
     * @param touched is told of the lane whose message will be visible at another time
     */
    hide(
      queue: QueueRow,
      receipt: string,
      timeout: number,
      now: number,
      touched: (lane: string) => void,
    ): QueueStoreError | undefined {
      const refuse = (reason: string) => invalidValue(timeout / 1000, 'VisibilityTimeout', reason)
      if (!Number.isInteger(timeout) || timeout < shortest || timeout > longest)
        return refuse(`Must be between ${shortest / 1000} and ${longest / 1000}.`)
      const found = named(queue, receipt)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined || claim.receipt === null || (queue.fifo && !last))
        return invalidValue(
          receipt,
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
      if (claim.lane !== null) touched(claim.lane)
      return undefined
    },
  }
}
