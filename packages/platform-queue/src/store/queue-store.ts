import type { QueueAttributes, QueueDescription } from './queue-attributes.ts'
import type { QueueStoreError } from './queue-store-error.ts'

/** A message attribute. */
export interface MessageAttribute {
  /** `String`, `Number` or `Binary`, with an optional label such as `Number.int`. */
  readonly dataType: string
  readonly stringValue?: string | undefined
  /** The value in base64. */
  readonly binaryValue?: string | undefined
}

export type MessageAttributes = { readonly [name: string]: MessageAttribute }

/** A message to send. */
export interface NewMessage {
  readonly body: string
  readonly attributes?: MessageAttributes | undefined
  /** Milliseconds for which the message stays hidden. Default: the delay of the queue. */
  readonly delay?: number | undefined
  /** The message group. A FIFO queue keeps the order of a group. */
  readonly group?: string | undefined
  readonly deduplicationId?: string | undefined
  readonly traceHeader?: string | undefined
  /** The identity of the sender. Default `anonymous`. */
  readonly sender?: string | undefined
}

/** The result for a message that was stored. The message is durable if the store is durable. */
export interface SentMessage {
  readonly messageId: string
  /**
   * A number that increases with each message of a FIFO queue. It is larger than 2^53, and some numbers are skipped.
   */
  readonly sequenceNumber: string | undefined
}

/** A received message. */
export interface ReceivedMessage {
  readonly messageId: string
  /**
   * The receipt handle. Each receive request returns a new receipt handle, and only the latest one can delete the
   * message.
   */
  readonly receiptHandle: string
  readonly body: string
  readonly attributes: MessageAttributes
  /** The number of times that the message was received, including this time. */
  readonly receiveCount: number
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  /** Milliseconds since the epoch. */
  readonly firstReceivedAt: number
  readonly sender: string
  readonly traceHeader: string | undefined
  readonly group: string | undefined
  readonly deduplicationId: string | undefined
  readonly sequenceNumber: string | undefined
  /** The queue that moved the message to this dead-letter queue. */
  readonly deadLetterSource: string | undefined
}

/** The options of a receive request. */
export interface ReceiveOptions {
  /** The maximum number of messages. */
  readonly max: number
  /**
   * The approximate maximum number of bytes. The first message is received regardless of its size. Default: no limit.
   */
  readonly bytes?: number | undefined
  /** The maximum time to wait for a first message, in milliseconds. */
  readonly wait: number
  /** Milliseconds for which received messages stay hidden. Default: the visibility timeout of the queue. */
  readonly visibilityTimeout?: number | undefined
  /**
   * The id of this receive request, only for FIFO queues. A receive request with the same id within 5 minutes gets the
   * same messages and hides them again, as long as all of them are unchanged.
   */
  readonly attemptId?: string | undefined
  /** Ends the wait. No message is received afterwards. */
  readonly signal?: AbortSignal | undefined
}

/** The approximate message counts of a queue. */
export interface Depth {
  readonly visible: number
  readonly inFlight: number
  readonly delayed: number
}

/**
 * The storage port of queues. An engine implements it and passes its shared tests. Standard queues deliver at least
 * once. FIFO queues, whose names end in `.fifo`, keep the order of each group and have at most one delivery of a group
 * in flight. Times are in milliseconds. Every method can reject with a `QueueStoreError`. See docs/contract/queue.md.
 */
export interface QueueStore {
  /** Creates a queue. Does nothing if the queue exists with the same attributes. */
  readonly createQueue: (queue: string, attributes?: Partial<QueueAttributes>) => Promise<void>
  readonly deleteQueue: (queue: string) => Promise<void>
  /** Returns the names of all queues, sorted. */
  readonly queueNames: () => Promise<readonly string[]>
  readonly attributes: (queue: string) => Promise<QueueDescription>
  readonly setAttributes: (queue: string, attributes: Partial<QueueAttributes>) => Promise<void>
  readonly depth: (queue: string) => Promise<Depth>
  /** Stores or refuses each message separately. Returns results in the order of the messages. */
  readonly send: (
    queue: string,
    messages: readonly NewMessage[],
  ) => Promise<readonly (SentMessage | QueueStoreError)[]>
  /** Rejects with OVER_LIMIT when `wait` is 0 and a standard queue has 120,000 messages in flight. */
  readonly receive: (queue: string, options: ReceiveOptions) => Promise<readonly ReceivedMessage[]>
  /**
   * Deletes messages. Returns a result for each handle, in order. The result is undefined for a deleted message, even
   * if it had already been deleted.
   */
  readonly deleteMessages: (
    queue: string,
    receiptHandles: readonly string[],
  ) => Promise<readonly (QueueStoreError | undefined)[]>
  /**
   * Hides received messages for the given time from now, but no longer than 12 hours after they were received. A
   * timeout of 0 makes them visible. A standard queue accepts any receipt handle of a message. A FIFO queue accepts
   * only the latest one, while the message is in flight.
   */
  readonly changeVisibility: (
    queue: string,
    changes: readonly { readonly receiptHandle: string; readonly timeout: number }[],
  ) => Promise<readonly (QueueStoreError | undefined)[]>
  /** Deletes all messages and all deduplication ids of a queue. */
  readonly purge: (queue: string) => Promise<void>
  /** Ends all waiting receives and closes the store. */
  readonly close: () => Promise<void>
}
