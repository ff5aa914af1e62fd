import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'
import type { FilterPattern } from '../filter/filter-pattern.ts'

/** The destination of a message that was received too often. */
export interface DeadLetterConfig {
  /** The name of the dead-letter queue. The platform creates it if it does not exist. */
  readonly queue: string
  /** The number of times that a message is received before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number
}

/**
 * Another engine that stores a queue. Any service with the SQS protocol can be one. The platform connects to it with
 * `@aws-sdk/client-sqs`.
 */
export interface QueueEngineConfig {
  /** The URL of the engine. Default: AWS in `region`. */
  readonly endpoint?: string
  readonly region?: string
  /** Required for an engine that is not on this machine, because polling takes messages out of the queue. */
  readonly allowRemote?: boolean
}

/** The settings for delivering the messages of a queue to a function. */
export interface QueueFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /**
   * Selects the messages that the function gets: one pattern or several, as in AWS event filtering. A message must
   * match one of them. Messages that match the filter of no function are deleted.
   */
  readonly filter?: FilterPattern | readonly FilterPattern[]
  /**
   * The maximum number of messages in a batch. Default 10. A larger number requires a batch window and a
   * standard queue.
   */
  readonly batchSize?: number
  /**
   * The maximum number of batches that are processed at the same time. Default: the number of instances of the
   * function.
   */
  readonly maximumConcurrency?: number
  /**
   * Whether the function reports each failed message, see docs/contract/queue.md#response.batchItemFailures. The
   * default is true, but false for functions with the dialect `aws`, as on AWS.
   */
  readonly reportBatchItemFailures?: boolean
}

/** A queue and the functions that get its messages. A queue whose name ends in `.fifo` is a FIFO queue. */
export interface QueueConfig<FunctionName extends string = string>
  extends Partial<QueueFunctionConfig<FunctionName>> {
  /**
   * The functions of a queue that has several. Each message goes to one function whose filter matches it. Functions
   * with matching filters take turns. `batchSize`, `maximumConcurrency` and `reportBatchItemFailures` of the queue are
   * the defaults.
   */
  readonly functions?: readonly QueueFunctionConfig<FunctionName>[]
  /** The number of seconds for which an incomplete batch waits for more messages. Default 0. */
  readonly batchWindow?: number
  /**
   * The number of seconds for which a received message stays hidden. Default: 30, or more if the function and
   * the batch window need it.
   */
  readonly visibilityTimeout?: number
  /** The number of seconds for which a sent message stays hidden. Default 0. */
  readonly delay?: number
  /** The number of seconds for which the queue keeps a message. Default: four days. */
  readonly retentionPeriod?: number
  /**
   * Whether a message without a deduplication id gets the digest of its body as the id. Only for FIFO queues.
   */
  readonly contentBasedDeduplication?: boolean
  readonly deadLetter?: DeadLetterConfig
  /** Another engine that stores this queue. The queue must already exist there. Default: the platform stores it. */
  readonly engine?: QueueEngineConfig
}

/** The listener for clients of the queues. */
export interface QueueListenerConfig {
  /** The port of the listener. Default: 9324. With 0, the listener uses any free port. */
  readonly port?: number
  /** The address of the listener. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /**
   * Whether everyone who reaches the listener may use it without a key. Default false. Without this setting and without
   * `access`, only programs on this machine may use it, and `signalbox start` refuses that.
   */
  readonly open?: boolean
  /** The PEM files of a certificate and its key. If they are set, clients connect over HTTPS. */
  readonly tls?: TlsConfig
  /** Additional host names that the listener accepts in the Host header. */
  readonly names?: readonly string[]
  /** The limits for each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
}

/** The configuration keys for queues. */
export interface QueuesConfig<FunctionName extends string = string> {
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
  readonly queueListener?: QueueListenerConfig
}
