import { optional } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

export const QueueState = t.readonly(
  t.type({
    name: t.string,
    isFifo: t.boolean,
    /** The number of messages that can be received. */
    visible: t.number,
    inFlight: t.number,
    delayed: t.number,
    /** The age of the oldest message in milliseconds. */
    oldestAge: optional(t.number),
    /** The functions that get the messages of the queue. */
    functions: t.readonlyArray(t.string),
    deadLetter: optional(t.type({ queue: t.string, maxReceiveCount: t.number })),
    /** The number of messages in the dead-letter queue. Undefined for a queue without a dead-letter queue. */
    deadLetters: optional(t.number),
    /** The queues that use this queue as their dead-letter queue. */
    sources: t.readonlyArray(t.string),
    /** The attributes of the queue, by their names in SQS. Numbers are decimal strings. */
    attributes: t.readonly(t.record(t.string, t.string)),
  }),
)
export type QueueState = t.TypeOf<typeof QueueState>

const MessageAttribute = t.readonly(
  t.intersection([
    t.type({ dataType: t.string }),
    /** Binary values are base64. */
    t.partial({ stringValue: optional(t.string), binaryValue: optional(t.string) }),
  ]),
)

/** A message in a queue, read without receiving it. */
export const QueueMessage = t.readonly(
  t.type({
    /** The position in the queue. The next page starts after it. */
    position: t.number,
    messageId: t.string,
    body: t.string,
    attributes: t.readonly(t.record(t.string, MessageAttribute)),
    /** Milliseconds since the epoch. */
    sentAt: t.number,
    state: t.union([t.literal('visible'), t.literal('in flight'), t.literal('delayed')]),
    /** The time when a delayed message or a message in flight becomes visible, in milliseconds since the epoch. */
    visibleAt: t.number,
    /** The number of times that the message was received, including before it became a dead letter. */
    receiveCount: t.number,
    group: optional(t.string),
    deduplicationId: optional(t.string),
    /** The queue that moved the message to this dead-letter queue. */
    deadLetterSource: optional(t.string),
  }),
)
export type QueueMessage = t.TypeOf<typeof QueueMessage>

export const MessageToSend = t.readonly(
  t.intersection([
    t.type({ body: t.string }),
    t.partial({
      attributes: t.record(t.string, t.string),
      /** Seconds until the message becomes visible. */
      delay: t.number,
      group: t.string,
      deduplicationId: t.string,
    }),
  ]),
)
export type MessageToSend = t.TypeOf<typeof MessageToSend>

/** A task that moves dead letters back. */
export const RedriveTask = t.readonly(
  t.type({
    task: t.string,
    /** `RUNNING`, `COMPLETED`, `CANCELLED` or `FAILED`. */
    status: t.string,
    moved: t.number,
    /** The number of messages that were waiting to be moved when the task started. */
    toMove: t.number,
    perSecond: optional(t.number),
    failure: optional(t.string),
    /** Milliseconds since the epoch. */
    startedAt: t.number,
  }),
)
export type RedriveTask = t.TypeOf<typeof RedriveTask>

/**
 * The console's operations on queues. Every function rejects with RefusedError when the queue refuses the operation.
 */
export interface ConsoleQueues {
  readonly list: () => Promise<readonly QueueState[]>
  /** Returns the oldest messages after a position, without receiving them. Returns undefined for an unknown queue. */
  readonly peek: (
    queue: string,
    page: { readonly after: number; readonly last: number },
  ) => Promise<readonly QueueMessage[] | undefined>
  /** Sends a message, and returns its id. */
  readonly send: (queue: string, message: MessageToSend) => Promise<string>
  /**
   * Sends a changed copy of a dead letter to the queue that the dead letter came from, and deletes the dead
   * letter. Returns the id of the new message.
   */
  readonly resend: (queue: string, position: number, message: MessageToSend) => Promise<string>
  /** Deletes all messages. */
  readonly purge: (queue: string) => Promise<void>
  /** Starts to move dead letters back, and returns the id of the task. */
  readonly redrive: (queue: string, perSecond: number | undefined) => Promise<string>
  /** Lists the tasks that moved dead letters back, the latest first. */
  readonly redrives: (queue: string) => Promise<readonly RedriveTask[]>
  /** Ends a task, and returns the number of messages that it moved. */
  readonly stopRedrive: (queue: string, task: string) => Promise<number>
}
