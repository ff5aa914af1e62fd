import { createHash } from 'node:crypto'
import { InvalidOptionError } from '@signalbox/core/base'
import type { QueueRecord, SystemAttributes } from '../contract/record.ts'

/** The fields of a record that replace the defaults. They can make the record invalid. */
export type RecordChanges = Partial<Omit<QueueRecord, 'attributes'>> & {
  readonly attributes?: Partial<SystemAttributes>
}

const region = 'eu-central-1'
const sentAt = Date.UTC(2026, 0, 15, 9, 30)
const queueName = (name: string) => `arn:cloud:queue:${region}:123456789012:${name}`

/**
 * Builds a record of a standard queue that was received once, with the correct digest of its body. `attributes` are
 * merged into the default attributes, and all other fields replace their defaults.
 * @throws InvalidOptionError for a body that is not a string
 * @example
 * ```ts
 * import { queueEvent, queueRecord } from '@signalbox/queue/testing'
 *
 * const record = queueRecord('paid', { attributes: { ApproximateReceiveCount: '3' } })
 * const event = queueEvent({ records: [record] })
 * event.Records[0]?.attributes.ApproximateReceiveCount // '3'
 * ```
 */
export function queueRecord(body: string, changes: RecordChanges = {}): QueueRecord {
  if (typeof body !== 'string')
    throw new InvalidOptionError('queueRecord(): the body is a string, such as JSON.stringify(order)')
  return {
    messageId: idOf(0),
    receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
    body,
    messageAttributes: {},
    md5OfBody: createHash('md5').update(body).digest('hex'),
    eventSource: 'cloud:queue',
    eventSourceARN: queueName('orders'),
    cloudRegion: region,
    ...changes,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: String(sentAt),
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: String(sentAt + 2),
      ...changes.attributes,
    },
  }
}

/**
 * Builds a record of a FIFO queue, in the group `a` by default.
 * @example
 * ```ts
 * import { fifoRecord, queueEvent } from '@signalbox/queue/testing'
 *
 * const record = fifoRecord('paid', { attributes: { MessageGroupId: 'customer-1' } })
 * const event = queueEvent({ records: [record] })
 * event.Records[0]?.attributes.MessageGroupId // 'customer-1'
 * ```
 */
export function fifoRecord(body: string, changes: RecordChanges = {}): QueueRecord {
  return queueRecord(body, {
    eventSourceARN: queueName('orders.fifo'),
    ...changes,
    attributes: {
      SequenceNumber: '18849496460467696128',
      MessageGroupId: 'a',
      MessageDeduplicationId: 'deduplication-0',
      ...changes.attributes,
    },
  })
}

/** Returns the message id of the record at a position. */
export function idOf(position: number): string {
  return `059f36b4-87a3-44ab-83d2-${position.toString(16).padStart(12, '0')}`
}
