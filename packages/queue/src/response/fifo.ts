import type { QueueEnvelope } from '../contract/event.ts'

type Records = QueueEnvelope['Records']

/** A record whose fields can have any types, because it may be invalid. */
interface AnyRecord {
  readonly eventSourceARN?: unknown
  readonly attributes?: { readonly SequenceNumber?: unknown; readonly MessageGroupId?: unknown } | null
}

/**
 * Returns whether a batch comes from a FIFO queue, which is the case if the resource name of the queue ends in `.fifo`,
 * or if every record has a `SequenceNumber` and a `MessageGroupId`. A `MessageGroupId` alone is not enough, because
 * standard queues pass it on, too. All records are checked, because any of them can be invalid.
 */
export function isFifo(records: Records): boolean {
  let isSequenced = records.length > 0
  for (const { eventSourceARN: arn, attributes } of records as readonly AnyRecord[]) {
    if (typeof arn === 'string' && arn.endsWith('.fifo')) return true
    isSequenced &&=
      typeof attributes?.SequenceNumber === 'string' && typeof attributes.MessageGroupId === 'string'
  }
  return isSequenced
}

/** Returns the message group of a record, or undefined if it has none. All records without a group form one group. */
export function groupOf(record: Records[number]): string | undefined {
  const group = (record as AnyRecord).attributes?.MessageGroupId
  return typeof group === 'string' ? group : undefined
}
