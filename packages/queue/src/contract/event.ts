import { array, list, object, required } from '@signalbox/codec/wire'
import type { Type, TypeOf } from 'io-ts'
import { describedBy } from './field.ts'
import { QueueRecord } from './record.ts'
import { NonEmptyText } from './text.ts'

/** The fields of an event. See docs/contract/queue.md#event. */
export const eventFields = {
  /** The messages of the batch. The list may be empty. */
  Records: required(array(QueueRecord)),
}

/** A whole batch in which every record is valid. */
export const QueueEvent = describedBy('queue event', eventFields)
export type QueueEvent = TypeOf<typeof QueueEvent>

/**
 * A batch in which every record has an id, so that a response can name the record. All other fields are checked
 * later, so that an invalid record fails alone.
 */
export interface QueueEnvelope {
  readonly Records: readonly { readonly messageId: string }[]
}
export const QueueEnvelope: Type<QueueEnvelope> = object('queue event', {
  Records: required(list(object('record with a messageId', { messageId: required(NonEmptyText) }))),
})
