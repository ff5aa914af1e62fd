import { array, list, object, required } from '@signalbox/codec/wire'
import type { Type, TypeOf } from 'io-ts'
import { describedBy } from './field.ts'
import { QueueRecord } from './record.ts'
import { NonEmptyText } from './text.ts'

/** Contract B, top level. */
export const eventFields = {
  /** The messages of the batch. The list may be empty. */
  Records: required(array(QueueRecord)),
}

/** A whole batch, every record of it valid. */
export const QueueEvent = describedBy('queue event', eventFields)
export type QueueEvent = TypeOf<typeof QueueEvent>

/**
 * As much of a batch as it takes to answer for it: records that can be named. Whether a record is more than that
 * is its own affair, so that a bad one fails alone.
 */
export interface QueueEnvelope {
  readonly Records: readonly { readonly messageId: string }[]
}
export const QueueEnvelope: Type<QueueEnvelope> = object('queue event', {
  Records: required(list(object('record with a messageId', { messageId: required(NonEmptyText) }))),
})
