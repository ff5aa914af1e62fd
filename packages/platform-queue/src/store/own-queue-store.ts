import type { SourceContext } from '@signalbox/platform-runtime'
import type { StoragePort } from '@signalbox/platform-runtime/storage'
import type { MessageAttributes, QueueStore } from './queue-store.ts'

export type Tags = { readonly [key: string]: string }

/** The options of a message move task. */
export interface MoveOptions {
  /** The target queue. Default: the source queue of each message. */
  readonly destination?: string | undefined
  /** The maximum number of messages per second. Default: no limit. */
  readonly perSecond?: number | undefined
}

/** A task that moves the messages that a dead-letter queue had at its start. */
export interface MoveTask {
  /** The id of the task for clients. */
  readonly task: string
  /** The target queue; null moves each message back to its source. */
  readonly destination: string | null
  readonly perSecond: number | null
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly toMove: number
  readonly moved: number
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED'
  /** The code of the error that ended the task. */
  readonly failure: string | null
}

/** A stored message, as it is without a receive. */
export interface PeekedMessage {
  /** Increases with each message of the store. */
  readonly position: number
  readonly messageId: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  /** How often it was received. */
  readonly receiveCount: number
  readonly attributes: MessageAttributes
  /** The time when it becomes visible. Milliseconds since the epoch. */
  readonly visibleAt: number
  /** Whether its latest receive may still delete it. */
  readonly isReceived: boolean
  readonly group?: string
  readonly deduplicationId?: string
  /** The queue that moved the message to this dead-letter queue. */
  readonly deadLetterSource?: string
}

/** The state of a queue. */
export interface QueueReport {
  readonly name: string
  readonly visible: number
  readonly inFlight: number
  readonly delayed: number
  /** The age of the oldest message in milliseconds. */
  readonly oldestAge: number | undefined
  /** The number of messages in its dead-letter queue. Undefined without one. */
  readonly deadLetters: number | undefined
}

/** The store of the queues that the platform keeps itself, with operations that only they support. */
export interface OwnQueueStore extends QueueStore {
  /** @param tags the tags of a new queue */
  readonly createQueue: (
    queue: string,
    attributes?: Parameters<QueueStore['createQueue']>[1],
    tags?: Tags,
  ) => Promise<void>
  readonly tags: (queue: string) => Promise<Tags>
  readonly setTags: (queue: string, tags: Tags) => Promise<void>
  /** The queues that use this one as their dead-letter queue, sorted. */
  readonly sourcesOf: (queue: string) => Promise<readonly string[]>
  /** Starts to move the messages of a dead-letter queue, and continues after a restart. Returns the id of the task. */
  readonly startMove: (queue: string, options?: MoveOptions) => Promise<string>
  /** The latest tasks of a queue, the last one first. */
  readonly moves: (queue: string) => Promise<readonly MoveTask[]>
  /** Ends a task, and returns the number of messages that it moved. */
  readonly cancelMove: (queue: string, task: string) => Promise<number>
  /** The state of every queue, sorted by name. */
  readonly reports: () => Promise<readonly QueueReport[]>
  /**
   * The oldest messages of a queue. Their receive count and visibility stay unchanged. Undefined when the queue does
   * not exist.
   * @param after the position of the last message that is not wanted
   */
  readonly peek: (
    queue: string,
    limit: number,
    after?: number,
  ) => Promise<readonly PeekedMessage[] | undefined>
  /** Deletes a visible message by its position. Returns whether there was one. */
  readonly discard: (queue: string, position: number) => Promise<boolean>
}

/** The storage port of queues: an engine implements it, and passes its shared suites. */
export const queueStorage: StoragePort<
  (context: Pick<SourceContext, 'clock' | 'random' | 'notice'>) => Promise<OwnQueueStore>
> = { name: 'queues' }
