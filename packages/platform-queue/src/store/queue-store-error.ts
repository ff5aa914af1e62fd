import { SignalboxError } from '@signalbox/core/base'

/** What may go wrong between a client and a queue. */
export type QueueStoreErrorCode =
  /** There is no queue of this name. */
  | 'QUEUE_NOT_FOUND'
  /** There is one of this name, with other attributes. */
  | 'QUEUE_EXISTS'
  /** The receipt was never given out by this queue. */
  | 'RECEIPT_HANDLE_INVALID'
  /** The receipt was given out, but counts no more. */
  | 'RECEIPT_HANDLE_EXPIRED'
  /** The message is not being worked on, so there is nothing to prolong or to end. */
  | 'NOT_IN_FLIGHT'
  /** The body holds characters that no message may hold. */
  | 'INVALID_CONTENTS'
  | 'MISSING_PARAMETER'
  | 'INVALID_PARAMETER'
  | 'INVALID_ATTRIBUTE_NAME'
  | 'INVALID_ATTRIBUTE_VALUE'
  /** The queue was purged less than a minute ago. */
  | 'PURGE_IN_PROGRESS'
  /** So many messages are in flight that no more may be received. */
  | 'OVER_LIMIT'
  /** Something other than the queue of the request does not exist. */
  | 'RESOURCE_NOT_FOUND'
  | 'UNSUPPORTED'
  /** Nothing was stored, because there is no room. */
  | 'STORAGE_FULL'

/** A queue refused a request. Nothing of that request has had an effect. */
export class QueueStoreError extends SignalboxError {
  override readonly name = 'QueueStoreError'
  readonly code: QueueStoreErrorCode

  constructor(code: QueueStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The refusal of something to be stored for which there is no room. */
export function storageFull(options?: ErrorOptions): QueueStoreError {
  return new QueueStoreError('STORAGE_FULL', 'There is no room left for messages: the disk is full.', options)
}

/** Characters of a value that an error repeats. */
const shown = 256

/**
 * The refusal of a value.
 * @param value as the caller wrote it, in the caller's unit
 * @param parameter its name in the protocol
 */
export function invalidValue(
  value: unknown,
  parameter: string,
  reason: string,
  code: QueueStoreErrorCode = 'INVALID_PARAMETER',
): QueueStoreError {
  const text = String(value)
  const short = text.length > shown ? `${text.slice(0, shown)}…` : text
  return new QueueStoreError(code, `Value ${short} for parameter ${parameter} is invalid. Reason: ${reason}`)
}
