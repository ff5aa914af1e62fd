import { array, extension, map, oneOf, optional, required, string } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { describedBy } from './field.ts'
import { eventSource } from './limits.ts'
import { Digits, NonEmptyText } from './text.ts'

/** The keys of `attributes`, whose values are all strings. See docs/contract/queue.md#attributes. */
export const systemAttributeFields = {
  /** Trace header. */
  CloudTraceHeader: optional(string),
  /** The number of times that the message was received but not deleted. */
  ApproximateReceiveCount: required(Digits),
  /** Send time in milliseconds since the epoch. */
  SentTimestamp: required(Digits),
  /** Identity of the sender: a user or a role. */
  SenderId: required(string),
  /** First receive time in milliseconds since the epoch. */
  ApproximateFirstReceiveTimestamp: required(Digits),
  /** FIFO: a large number that orders messages. The numbers are not consecutive. */
  SequenceNumber: optional(string),
  /**
   * FIFO: the group. Messages of a group are processed one by one, in order. Groups are independent. A standard queue
   * may carry the key as well (extension), and lets its groups take turns.
   */
  MessageGroupId: optional(string),
  /** FIFO: the deduplication token. */
  MessageDeduplicationId: optional(string),
  /** Resource name of the queue that moved the message to this dead-letter queue. */
  DeadLetterQueueSourceArn: extension(optional(string)),
}

/**
 * The fields of a message attribute. See docs/contract/queue.md#message-attributes. The contract states only that an
 * attribute has a name, a type and a value.
 */
export const messageAttributeFields = {
  /** `String`, `Number` or `Binary`, with or without a custom label such as `Number.int`. */
  dataType: extension(required(string)),
  /** The value of a string or a number. */
  stringValue: extension(optional(string)),
  /** The value of bytes, in Base64. */
  binaryValue: extension(optional(string)),
  /** Reserved by the service. */
  stringListValues: extension(optional(array(string))),
  /** Reserved by the service. */
  binaryListValues: extension(optional(array(string))),
}

/** The codec and the type of `attributes`, which the platform sets. See docs/contract/queue.md#attributes. */
export const SystemAttributes = describedBy('attributes', systemAttributeFields)
export type SystemAttributes = TypeOf<typeof SystemAttributes>

/** The codec and the type of a message attribute. See docs/contract/queue.md#message-attributes. */
export const WireMessageAttribute = describedBy('message attribute', messageAttributeFields)
export type WireMessageAttribute = TypeOf<typeof WireMessageAttribute>

/** The fields of a record. See docs/contract/queue.md#record. */
export const recordFields = {
  /** Identifies the message. */
  messageId: required(NonEmptyText),
  /** Identifies this receive. Each receive gives a new handle, and a delete uses the latest one. */
  receiptHandle: required(string),
  /** The contents of the message, not URL-encoded. */
  body: required(string),
  /** The queue's own data about the message. */
  attributes: required(SystemAttributes),
  /** The sender's attributes, by name. */
  messageAttributes: required(map(WireMessageAttribute)),
  /** MD5 digest of the body, in lower-case hexadecimal digits. */
  md5OfBody: required(string),
  /** The service that the event comes from: a queue. */
  eventSource: required(oneOf(eventSource)),
  /** Resource name of the queue. */
  eventSourceARN: required(string),
  /** Region of the queue. */
  cloudRegion: required(string),
  /** MD5 digest of the message attributes. */
  md5OfMessageAttributes: extension(optional(string)),
}

/** One message of a batch, as the platform sends it. */
export const QueueRecord = describedBy('queue record', recordFields)
export type QueueRecord = TypeOf<typeof QueueRecord>
