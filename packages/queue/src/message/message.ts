import type { Deadline, InvocationContext } from '@signalbox/core'
import type { QueueRecord } from '../contract/record.ts'
import { decodeAttributes, type MessageAttributes } from './message-attributes.ts'

/**
 * A queue record with its body decoded. Its properties are computed when they are read. Destructure them (`({ body,
 * attempt }) => …`) instead of spreading the message, because a copy has only `record` and `body`.
 */
export interface Message<Body = string> {
  readonly body: Body
  /** The record as the platform sent it. See docs/contract/queue.md#record. */
  readonly record: QueueRecord
  readonly id: string
  /** The number of times that the message was received, including this time. */
  readonly attempt: number
  readonly sentAt: Date
  readonly firstReceivedAt: Date
  /** The message group. Senders can also set it in standard queues. */
  readonly group: string | undefined
  readonly deduplicationId: string | undefined
  /** The sequence number of a FIFO message. It is a string, because it is larger than 2^53. */
  readonly sequence: string | undefined
  /**
   * The message attributes, decoded by their types.
   * @throws InvalidMessageError for an attribute that does not fit its type
   */
  readonly attributes: MessageAttributes
  /** The trace header, or the message id when there is no trace header. */
  readonly correlationId: string
  /** Aborts when the invocation has only `reserve` milliseconds left. */
  readonly signal: AbortSignal
  /** The context of the invocation. On AWS it has `awsRequestId` and `invokedFunctionArn`. */
  readonly context: InvocationContext
  /** Milliseconds until `signal` aborts. `Infinity` if there is no deadline. */
  readonly remaining: number
}

/** The message of a valid record or, for `onFailure`, of an invalid record. */
// This is a class, so that the getters are on the prototype. One object is made for every record, and most handlers
// read only the body. Invalid records need the optional chaining.
export class RecordMessage<Body> implements Message<Body> {
  readonly record: QueueRecord
  readonly body: Body
  readonly #deadline: Deadline
  readonly #context: InvocationContext

  constructor(record: QueueRecord, body: Body, deadline: Deadline, context: InvocationContext) {
    this.record = record
    this.body = body
    this.#deadline = deadline
    this.#context = context
  }

  /** The system attributes, which a record that breaks the contract can lack. */
  get #attributes(): QueueRecord['attributes'] | undefined {
    return this.record.attributes
  }

  get id(): string {
    return this.record.messageId
  }

  get attempt(): number {
    return Number(this.#attributes?.ApproximateReceiveCount)
  }

  get sentAt(): Date {
    return new Date(Number(this.#attributes?.SentTimestamp))
  }

  get firstReceivedAt(): Date {
    return new Date(Number(this.#attributes?.ApproximateFirstReceiveTimestamp))
  }

  get group(): string | undefined {
    return this.#attributes?.MessageGroupId ?? undefined
  }

  get deduplicationId(): string | undefined {
    return this.#attributes?.MessageDeduplicationId ?? undefined
  }

  get sequence(): string | undefined {
    return this.#attributes?.SequenceNumber ?? undefined
  }

  get attributes(): MessageAttributes {
    return decodeAttributes(this.record)
  }

  get correlationId(): string {
    // An empty trace header identifies nothing.
    return this.#attributes?.CloudTraceHeader || this.record.messageId
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }

  get context(): InvocationContext {
    return this.#context
  }

  get remaining(): number {
    return this.#deadline.remaining()
  }
}
