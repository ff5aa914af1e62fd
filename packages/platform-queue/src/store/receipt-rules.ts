import { attributeBounds } from './queue-attributes.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'

const [shortest, longest] = attributeBounds.visibilityTimeout

const refuseTimeout = (timeout: number, reason: string) =>
  invalidValue(timeout / 1000, 'VisibilityTimeout', reason)

/** Returns the error for an invalid visibility timeout in milliseconds. Returns undefined for a valid one. */
export function timeoutRefusal(timeout: number): QueueStoreError | undefined {
  if (Number.isInteger(timeout) && timeout >= shortest && timeout <= longest) return undefined
  return refuseTimeout(timeout, `Must be between ${shortest / 1000} and ${longest / 1000}.`)
}

/**
 * Returns the error for a message that would be hidden for too long after it was received.
 * @param held milliseconds since the message was received
 */
export function totalTimeoutRefusal(held: number, timeout: number): QueueStoreError | undefined {
  // Clients use whole seconds, so an incomplete second does not count.
  const passed = Math.floor(held / 1000) * 1000
  if (timeout === 0 || passed + timeout <= longest) return undefined
  return refuseTimeout(
    timeout,
    `Total VisibilityTimeout for the message is beyond the limit [${longest / 1000} seconds].`,
  )
}

/** Returns the error for a receipt handle that the queue did not issue. */
export function foreignReceiptHandle(receiptHandle: string): QueueStoreError {
  return new QueueStoreError(
    'RECEIPT_HANDLE_INVALID',
    `The input receipt handle "${receiptHandle.slice(0, 256)}" is not a valid receipt handle.`,
  )
}

/** Returns the error for deleting a message of a FIFO queue with an expired receipt handle. */
export function expiredReceiptHandle(receiptHandle: string): QueueStoreError {
  return invalidValue(
    receiptHandle,
    'ReceiptHandle',
    'The receipt handle has expired.',
    'RECEIPT_HANDLE_EXPIRED',
  )
}

/** Returns the error for changing the visibility of a message with a receipt handle that is not its current one. */
export function unknownReceipt(receiptHandle: string): QueueStoreError {
  return invalidValue(
    receiptHandle,
    'ReceiptHandle',
    'Message does not exist or is not available for visibility timeout change.',
  )
}

/** Returns the error for a message that is not in flight. */
export function notInFlight(): QueueStoreError {
  return new QueueStoreError('NOT_IN_FLIGHT', 'The message is not in flight.')
}
