import * as t from 'io-ts'
import { describedBy, type Fields } from './field.ts'
import { Digits, NonEmptyText } from './text.ts'

/** What `eventSource` says in every record (contract B, record fields). */
export const eventSource = 'cloud:queue'

/** Contract B, `attributes` keys: the values are all text. */
export const systemAttributeFields = {
  CloudTraceHeader: { codec: t.string, required: false, meaning: 'trace header' },
  ApproximateReceiveCount: {
    codec: Digits,
    required: true,
    meaning: 'how often the message was received and not deleted',
  },
  SentTimestamp: { codec: Digits, required: true, meaning: 'when it was sent, in ms since the epoch' },
  SenderId: { codec: t.string, required: true, meaning: 'the user or role that sent it' },
  ApproximateFirstReceiveTimestamp: {
    codec: Digits,
    required: true,
    meaning: 'when it was first received, in ms since the epoch',
  },
  SequenceNumber: { codec: t.string, required: false, meaning: 'FIFO: its place, larger than 2^53' },
  MessageGroupId: { codec: t.string, required: false, meaning: 'FIFO: the group that is kept in order' },
  MessageDeduplicationId: { codec: t.string, required: false, meaning: 'FIFO: the deduplication token' },
  DeadLetterQueueSourceArn: {
    codec: t.string,
    required: false,
    meaning: 'the queue that gave the message up',
    extension: true,
  },
} as const satisfies Fields

/**
 * Contract B, `messageAttributes`: Name, Type and Value, of which the name is the key. How type and value are
 * called on the wire is not shown there.
 */
export const messageAttributeFields = {
  dataType: {
    codec: t.string,
    required: true,
    meaning: 'String, Number or Binary, or these and a label',
    extension: true,
  },
  stringValue: {
    codec: t.string,
    required: false,
    meaning: 'the value of a text or number',
    extension: true,
  },
  binaryValue: {
    codec: t.string,
    required: false,
    meaning: 'the value of bytes, in base64',
    extension: true,
  },
  stringListValues: { codec: t.array(t.string), required: false, meaning: 'reserved', extension: true },
  binaryListValues: { codec: t.array(t.string), required: false, meaning: 'reserved', extension: true },
} as const satisfies Fields

export const SystemAttributes = describedBy('attributes', systemAttributeFields)
export type SystemAttributes = t.TypeOf<typeof SystemAttributes>

export const WireMessageAttribute = describedBy('message attribute', messageAttributeFields)
export type WireMessageAttribute = t.TypeOf<typeof WireMessageAttribute>

/** Contract B, record fields. */
export const recordFields = {
  messageId: { codec: NonEmptyText, required: true, meaning: 'identifies the message' },
  receiptHandle: { codec: t.string, required: true, meaning: 'identifies this receiving of it' },
  body: { codec: t.string, required: true, meaning: 'its contents, not URL-encoded' },
  attributes: { codec: SystemAttributes, required: true, meaning: 'what the queue knows about it' },
  messageAttributes: {
    codec: t.record(t.string, WireMessageAttribute),
    required: true,
    meaning: 'what the sender said about it, by name',
  },
  md5OfBody: { codec: t.string, required: true, meaning: 'MD5 digest of the body' },
  eventSource: { codec: t.literal(eventSource), required: true, meaning: 'the service: a queue' },
  eventSourceARN: { codec: t.string, required: true, meaning: 'the resource name of the queue' },
  cloudRegion: { codec: t.string, required: true, meaning: 'the region of the queue' },
  md5OfMessageAttributes: {
    codec: t.string,
    required: false,
    meaning: 'MD5 digest of the message attributes',
    extension: true,
  },
} as const satisfies Fields

/** One message of a batch, as on the wire. */
export const QueueRecord = describedBy('queue record', recordFields)
export type QueueRecord = t.TypeOf<typeof QueueRecord>
