import { SignalboxError } from '@signalbox/core/base'

/** The reasons why a queue store refuses a request. */
export type QueueStoreErrorCode =
  /** No queue has this name. */
  | 'QUEUE_NOT_FOUND'
  /** A queue with this name exists, but with other attributes. */
  | 'QUEUE_EXISTS'
  /** The queue never issued this receipt handle. */
  | 'RECEIPT_HANDLE_INVALID'
  /** The receipt handle is no longer valid. */
  | 'RECEIPT_HANDLE_EXPIRED'
  /** The message is not in flight, so its visibility timeout cannot change. */
  | 'NOT_IN_FLIGHT'
  /** The body has characters that messages must not contain. */
  | 'INVALID_CONTENTS'
  | 'MISSING_PARAMETER'
  | 'INVALID_PARAMETER'
  | 'INVALID_ATTRIBUTE_NAME'
  | 'INVALID_ATTRIBUTE_VALUE'
  /** The last purge of the queue was less than a minute ago. */
  | 'PURGE_IN_PROGRESS'
  /** The queue has the maximum number of messages in flight. */
  | 'OVER_LIMIT'
  /** A resource other than the queue of the request does not exist. */
  | 'RESOURCE_NOT_FOUND'
  | 'UNSUPPORTED'
  /** The disk is full, and nothing was stored. */
  | 'STORAGE_FULL'
  /** The database of the queues cannot be reached. The request might still have had an effect. */
  | 'UNAVAILABLE'

/**
 * The error when a queue store refuses a request. The request had no effect, except possibly for UNAVAILABLE.
 */
export class QueueStoreError extends SignalboxError {
  override readonly name = 'QueueStoreError'
  readonly code: QueueStoreErrorCode

  constructor(code: QueueStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Returns the error of a store whose disk is full. */
export function storageFull(options?: ErrorOptions): QueueStoreError {
  return new QueueStoreError('STORAGE_FULL', 'Nothing can be stored: the disk is full.', options)
}

/** The maximum number of characters of a value in an error. */
const longestText = 256

/**
 * Returns the error for an invalid value.
 * @param value the value as the caller wrote it, in the caller's unit
 * @param parameter the SQS name of the parameter
 */
export function invalidValue(
  value: unknown,
  parameter: string,
  reason: string,
  code: QueueStoreErrorCode = 'INVALID_PARAMETER',
): QueueStoreError {
  const text = String(value)
  const short = text.length > longestText ? `${text.slice(0, longestText)}…` : text
  return new QueueStoreError(code, `Value ${short} for parameter ${parameter} is invalid. Reason: ${reason}`)
}
