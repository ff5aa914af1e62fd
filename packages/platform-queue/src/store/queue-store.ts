import type { QueueAttributes, QueueDescription } from './queue-attributes.ts'
import type { QueueStoreError } from './queue-store-error.ts'

/** What a sender says about a message, by name. */
export interface MessageAttribute {
  /** `String`, `Number` or `Binary`, perhaps with a label: `Number.int`. */
  readonly dataType: string
  readonly stringValue?: string | undefined
  /** Base64. */
  readonly binaryValue?: string | undefined
}

export type MessageAttributes = { readonly [name: string]: MessageAttribute }

/** A message on its way into a queue. */
export interface NewMessage {
  readonly body: string
  readonly attributes?: MessageAttributes | undefined
  /** Milliseconds before it can be received. Default: what the queue says. */
  readonly delay?: number | undefined
  /** The message group, which a FIFO queue keeps in order. */
  readonly group?: string | undefined
  readonly deduplicationId?: string | undefined
  readonly traceHeader?: string | undefined
  /** Who sends it. Default `anonymous`. */
  readonly sender?: string | undefined
}

/** A message that is stored: durably, wherever the store is durable at all. */
export interface SentMessage {
  readonly messageId: string
  /** Of a FIFO queue. Growing, not consecutive, larger than 2^53. */
  readonly sequenceNumber: string | undefined
}

/** A message that was received. */
export interface ReceivedMessage {
  readonly messageId: string
  /** A new one at each receive; deleting needs the last one. */
  readonly receiptHandle: string
  readonly body: string
  readonly attributes: MessageAttributes
  /** How often it was received and not deleted, this time included. */
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
  /** The queue that gave the message up, when this is its dead-letter queue. */
  readonly deadLetterSource: string | undefined
}

/** How to receive. */
export interface ReceiveOptions {
  /** Messages at most. */
  readonly max: number
  /** Bytes of them at most, roughly, though one message is received however large it is. Default: any. */
  readonly bytes?: number | undefined
  /** Milliseconds to wait for a first message when there is none. */
  readonly wait: number
  /** Milliseconds for which what is received stays hidden. Default: what the queue says. */
  readonly visibilityTimeout?: number | undefined
  /**
   * FIFO: names this receive. Within 5 minutes another one of the same name gets the same messages, hidden anew, as
   * long as nothing happened to any of them.
   */
  readonly attemptId?: string | undefined
  /** Ends the waiting. Nothing is received after it. */
  readonly signal?: AbortSignal | undefined
}

/** How many messages there are, as far as can be said. */
export interface Depth {
  readonly visible: number
  readonly inFlight: number
  readonly delayed: number
}

/**
 * Queues, wherever they are kept. Standard queues deliver at least once; FIFO queues, whose names end in `.fifo`,
 * keep each group in order, one delivery at a time (contract B). Times are in milliseconds. Everything may reject
 * with a `QueueStoreError`.
 */
export interface QueueStore {
  /** Makes a queue; one that is there already with these attributes stays as it is. */
  readonly createQueue: (queue: string, attributes?: Partial<QueueAttributes>) => Promise<void>
  readonly deleteQueue: (queue: string) => Promise<void>
  /** In order of name. */
  readonly queueNames: () => Promise<readonly string[]>
  readonly attributes: (queue: string) => Promise<QueueDescription>
  readonly setAttributes: (queue: string, attributes: Partial<QueueAttributes>) => Promise<void>
  readonly depth: (queue: string) => Promise<Depth>
  /** Each message is stored or refused by itself; answers in the order of the messages. */
  readonly send: (
    queue: string,
    messages: readonly NewMessage[],
  ) => Promise<readonly (SentMessage | QueueStoreError)[]>
  /** Rejects with OVER_LIMIT when it does not wait, and a standard queue has 120,000 messages in flight. */
  readonly receive: (queue: string, options: ReceiveOptions) => Promise<readonly ReceivedMessage[]>
  /** Undefined where a message is gone, in the order of the receipts. A message that is gone already counts. */
  readonly deleteMessages: (
    queue: string,
    receiptHandles: readonly string[],
  ) => Promise<readonly (QueueStoreError | undefined)[]>
  /**
   * Hides received messages for so long from now, and not beyond 12 hours from their receive; 0 gives them back. A
   * standard queue takes any receipt of a message, a FIFO queue the last one while it is in flight.
   */
  readonly changeVisibility: (
    queue: string,
    changes: readonly { readonly receiptHandle: string; readonly timeout: number }[],
  ) => Promise<readonly (QueueStoreError | undefined)[]>
  /** Deletes every message, and what is known of deduplication. */
  readonly purge: (queue: string) => Promise<void>
  /** Ends all waiting. */
  readonly close: () => Promise<void>
}
