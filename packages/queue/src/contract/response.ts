import { array, required } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { describedBy } from './field.ts'
import { NonEmptyText } from './text.ts'

/** One failed message, identified by the `messageId` of its record. */
export const BatchItemFailure = describedBy('batch item failure', {
  /** The `messageId` of a failed record. */
  itemIdentifier: required(NonEmptyText),
})
export type BatchItemFailure = TypeOf<typeof BatchItemFailure>

/**
 * The response of a queue function. The platform deletes every message that is not listed. See
 * docs/contract/queue.md#response.
 */
export const BatchResponse = describedBy('batch response', {
  /** The messages that failed. */
  batchItemFailures: required(array(BatchItemFailure)),
})
export type BatchResponse = TypeOf<typeof BatchResponse>
