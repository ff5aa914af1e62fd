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

/** A task that moves the messages that were in a dead-letter queue when the task started. */
export interface MoveTask {
  /** The id that identifies the task to clients. */
  readonly task: string
  /** The target queue. Null moves each message back to its source queue. */
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

/** A stored message that was read without being received. */
export interface PeekedMessage {
  /** The position of the message. It increases with each message of the store. */
  readonly position: number
  readonly messageId: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  /** The number of times that the message was received. */
  readonly receiveCount: number
  readonly attributes: MessageAttributes
  /** The time when the message becomes visible, in milliseconds since the epoch. */
  readonly visibleAt: number
  /** Whether the latest receipt handle of the message can still delete it. */
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
  /** The number of messages in the dead-letter queue. Undefined if the queue has no dead-letter queue. */
  readonly deadLetters: number | undefined
}

/** A store of the platform's own queues, which supports additional operations. */
export interface OwnQueueStore extends QueueStore {
  /**
   * Creates a queue. Does nothing if the queue exists with the same attributes, and with the same tags if there are
   * tags.
   * @param tags the tags of a new queue
   * @throws QueueStoreError if the queue exists with others
   */
  readonly createQueue: (
    queue: string,
    attributes?: Parameters<QueueStore['createQueue']>[1],
    tags?: Tags,
  ) => Promise<void>
  readonly tags: (queue: string) => Promise<Tags>
  readonly setTags: (queue: string, tags: Tags) => Promise<void>
  /** Returns the names of the queues that use a queue as their dead-letter queue, sorted. */
  readonly sourcesOf: (queue: string) => Promise<readonly string[]>
  /** Starts a task that moves the messages of a dead-letter queue and continues after a restart. Returns its id. */
  readonly startMove: (queue: string, options?: MoveOptions) => Promise<string>
  /** Returns the most recent tasks of a queue, newest first. */
  readonly moves: (queue: string) => Promise<readonly MoveTask[]>
  /** Ends a task, and returns the number of messages that it moved. */
  readonly cancelMove: (queue: string, task: string) => Promise<number>
  /** Returns the state of every queue, sorted by name. */
  readonly reports: () => Promise<readonly QueueReport[]>
  /**
   * Returns the oldest messages of a queue without changing their receive count or visibility. Returns undefined if
   * the queue does not exist.
   * @param after the position of a message; only messages after it are returned
   */
  readonly peek: (
    queue: string,
    limit: number,
    after?: number,
  ) => Promise<readonly PeekedMessage[] | undefined>
  /** Deletes a visible message by its position. Returns whether it deleted the message. */
  readonly discard: (queue: string, position: number) => Promise<boolean>
  /** Deletes all messages and tasks of all queues. Absent in a store that several platforms share. */
  readonly clear?: () => Promise<void>
}

/** The storage port of queues. A storage engine implements it and passes its shared tests. */
export const queueStorage: StoragePort<
  (context: Pick<SourceContext, 'clock' | 'random' | 'notice'>) => Promise<OwnQueueStore>
> = { name: 'queues' }
