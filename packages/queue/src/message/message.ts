import type { Deadline } from '@signalbox/core'
import type { QueueRecord } from '../contract/record.ts'
import { decodeAttributes, type MessageAttributes } from './message-attributes.ts'

/**
 * A queue record with its body decoded. Its properties are worked out when they are read: take them by name
 * (`({ body, attempt }) => …`), a copy made by spreading has only what was given.
 */
export interface Message<Body = string> {
  readonly body: Body
  /** As on the wire (contract B). */
  readonly record: QueueRecord
  readonly id: string
  /** How often the message was received so far, this time included: 1 for the first. */
  readonly attempt: number
  readonly sentAt: Date
  readonly firstReceivedAt: Date
  /** FIFO queues, and some senders to standard ones. */
  readonly group: string | undefined
  readonly deduplicationId: string | undefined
  /** Text, because it is larger than 2^53. */
  readonly sequence: string | undefined
  /**
   * The message attributes, their types decoded.
   * @throws InvalidMessageError when one is not of the type that it says it is
   */
  readonly attributes: MessageAttributes
  /** The trace header, or else the message's id. */
  readonly correlationId: string
  /** Aborted when the invocation has only `reserve` milliseconds left. */
  readonly signal: AbortSignal
  /** Milliseconds until `signal` aborts; `Infinity` when nobody said how long the invocation may take. */
  readonly remaining: number
}

/** A message of a record that was found valid, or, for telling of its failure, of one that was not. */
export function messageOf<Body>(record: QueueRecord, body: Body, deadline: Deadline): Message<Body> {
  return new RecordMessage(record, body, deadline)
}

// A class, so that the getters are on the prototype: one is made for every record, and most handlers read only
// the body. The question marks are for records that are not what their type says.
class RecordMessage<Body> implements Message<Body> {
  // V8 forgets the shape of objects when a garbage collection finds none of them, as it may between two batches, and
  // with the shape all code that was optimized for it. So there is always one.
  static readonly keepsShape = new RecordMessage<unknown>({} as QueueRecord, undefined, {} as Deadline)

  readonly record: QueueRecord
  readonly body: Body
  readonly #deadline: Deadline

  constructor(record: QueueRecord, body: Body, deadline: Deadline) {
    this.record = record
    this.body = body
    this.#deadline = deadline
  }

  get id(): string {
    return this.record.messageId
  }

  get attempt(): number {
    return Number(this.record.attributes?.ApproximateReceiveCount)
  }

  get sentAt(): Date {
    return new Date(Number(this.record.attributes?.SentTimestamp))
  }

  get firstReceivedAt(): Date {
    return new Date(Number(this.record.attributes?.ApproximateFirstReceiveTimestamp))
  }

  get group(): string | undefined {
    return this.record.attributes?.MessageGroupId ?? undefined
  }

  get deduplicationId(): string | undefined {
    return this.record.attributes?.MessageDeduplicationId ?? undefined
  }

  get sequence(): string | undefined {
    return this.record.attributes?.SequenceNumber ?? undefined
  }

  get attributes(): MessageAttributes {
    return decodeAttributes(this.record)
  }

  get correlationId(): string {
    // An empty header ties nothing together.
    return this.record.attributes?.CloudTraceHeader || this.record.messageId
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }

  get remaining(): number {
    return this.#deadline.remaining()
  }
}
