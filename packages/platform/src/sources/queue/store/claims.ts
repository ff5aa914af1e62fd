import type { MessageRows } from './message-rows.ts'
import { attributeBounds } from './queue-attributes.ts'
import type { QueueRow } from './queue-rows.ts'
import { QueueStoreError } from './queue-store-error.ts'
import { readReceipt } from './receipt.ts'

/** What the holder of a receipt may do with its message. */
export function claims(messages: MessageRows) {
  /** The message that a receipt names, and whether it is the last receipt of it. */
  const named = (queue: QueueRow, receipt: string) => {
    const read = readReceipt(receipt)
    if (read === undefined || read.queue !== queue.id)
      return new QueueStoreError('RECEIPT_INVALID', 'The input receipt handle is invalid.')
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
        return new QueueStoreError(
          'RECEIPT_EXPIRED',
          `Value ${receipt} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
        )
      if (!last) return undefined
      messages.remove(id)
      if (claim.lane !== null) touched(claim.lane)
      return undefined
    },

    /** `touched` is told of the lane whose message will be visible at another time. */
    hide(
      queue: QueueRow,
      receipt: string,
      timeout: number,
      now: number,
      touched: (lane: string) => void,
    ): QueueStoreError | undefined {
      const [least, most] = attributeBounds.visibilityTimeout
      if (!Number.isInteger(timeout) || timeout < least || timeout > most)
        return new QueueStoreError(
          'INVALID_PARAMETER',
          'Value for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200.',
        )
      const found = named(queue, receipt)
      if (found instanceof QueueStoreError) return found
      const { id, claim, last } = found
      if (claim === undefined || !last)
        return new QueueStoreError(
          'INVALID_PARAMETER',
          `Value ${receipt} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
        )
      if (claim.visible_at <= now)
        return new QueueStoreError('NOT_IN_FLIGHT', 'The message is not in flight.')
      messages.hide(id, now + timeout)
      if (claim.lane !== null) touched(claim.lane)
      return undefined
    },
  }
}
