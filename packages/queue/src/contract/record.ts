import { array, extension, map, oneOf, optional, required, string } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { describedBy } from './field.ts'
import { Digits, NonEmptyText } from './text.ts'

/** What `eventSource` says in every record (contract B, record fields). */
export const eventSource = 'cloud:queue'

/** Contract B, `attributes` keys: the values are all text. */
export const systemAttributeFields = {
  /** Trace header. */
  CloudTraceHeader: optional(string),
  /** How often the message was received and not deleted. */
  ApproximateReceiveCount: required(Digits),
  /** When it was sent, in ms since the epoch. */
  SentTimestamp: required(Digits),
  /** The user or role that sent it. */
  SenderId: required(string),
  /** When it was first received, in ms since the epoch. */
  ApproximateFirstReceiveTimestamp: required(Digits),
  /** FIFO: its place, larger than 2^53. */
  SequenceNumber: optional(string),
  /** FIFO: the group that is kept in order. */
  MessageGroupId: optional(string),
  /** FIFO: the deduplication token. */
  MessageDeduplicationId: optional(string),
  /** The queue that gave the message up. */
  DeadLetterQueueSourceArn: extension(optional(string)),
}

/**
 * Contract B, `messageAttributes`: Name, Type and Value, of which the name is the key. How type and value are
 * called on the wire is not shown there.
 */
export const messageAttributeFields = {
  /** String, Number or Binary, or these and a label. */
  dataType: extension(required(string)),
  /** The value of a text or number. */
  stringValue: extension(optional(string)),
  /** The value of bytes, in base64. */
  binaryValue: extension(optional(string)),
  /** Reserved. */
  stringListValues: extension(optional(array(string))),
  /** Reserved. */
  binaryListValues: extension(optional(array(string))),
}

export const SystemAttributes = describedBy('attributes', systemAttributeFields)
export type SystemAttributes = TypeOf<typeof SystemAttributes>

export const WireMessageAttribute = describedBy('message attribute', messageAttributeFields)
export type WireMessageAttribute = TypeOf<typeof WireMessageAttribute>

/** Contract B, record fields. */
export const recordFields = {
  /** Identifies the message. */
  messageId: required(NonEmptyText),
  /** Identifies this receiving of it. */
  receiptHandle: required(string),
  /** Its contents, not URL-encoded. */
  body: required(string),
  /** What the queue knows about it. */
  attributes: required(SystemAttributes),
  /** What the sender said about it, by name. */
  messageAttributes: required(map(WireMessageAttribute)),
  /** MD5 digest of the body. */
  md5OfBody: required(string),
  /** The service: a queue. */
  eventSource: required(oneOf(eventSource)),
  /** The resource name of the queue. */
  eventSourceARN: required(string),
  /** The region of the queue. */
  cloudRegion: required(string),
  /** MD5 digest of the message attributes. */
  md5OfMessageAttributes: extension(optional(string)),
}

/** One message of a batch, as on the wire. */
export const QueueRecord = describedBy('queue record', recordFields)
export type QueueRecord = TypeOf<typeof QueueRecord>
