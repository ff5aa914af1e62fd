import * as t from 'io-ts'
import { describedBy, type Fields } from './field.ts'
import { QueueRecord } from './record.ts'
import { NonEmptyText } from './text.ts'

/** Contract B, top level. */
export const eventFields = {
  Records: { codec: t.array(QueueRecord), required: true, meaning: 'the messages of the batch' },
} as const satisfies Fields

/** A whole batch, every record of it valid. */
export const QueueEvent = describedBy('queue event', eventFields)
export type QueueEvent = t.TypeOf<typeof QueueEvent>

/**
 * As much of a batch as it takes to answer for it: records that can be named. Whether a record is more than that
 * is its own affair, so that a bad one fails alone.
 */
export interface QueueEnvelope {
  readonly Records: readonly { readonly messageId: string }[]
}
export const QueueEnvelope: t.Type<QueueEnvelope> = t.type(
  { Records: t.array(t.type({ messageId: NonEmptyText }, 'record with a messageId')) },
  'queue event',
) as never
