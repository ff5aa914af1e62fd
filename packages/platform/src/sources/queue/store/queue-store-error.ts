import { SignalboxError } from '@signalbox/core/base'

/** What may go wrong between a client and a queue. */
export type QueueStoreErrorCode =
  /** There is no queue of this name. */
  | 'QUEUE_NOT_FOUND'
  /** There is one of this name, with other attributes. */
  | 'QUEUE_EXISTS'
  /** The receipt was never given out by this queue. */
  | 'RECEIPT_INVALID'
  /** The receipt was given out, but counts no more. */
  | 'RECEIPT_EXPIRED'
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

/** The answer to whoever wants to store something for which there is no room. */
export function storageFull(options?: ErrorOptions): QueueStoreError {
  return new QueueStoreError('STORAGE_FULL', 'There is no room left for messages: the disk is full.', options)
}
