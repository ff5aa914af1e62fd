import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'
import type { FilterPattern } from '../filter/filter-pattern.ts'

/** The destination of a message that was received too often. */
export interface DeadLetterConfig {
  /** The name of the dead-letter queue. The platform creates it when it does not exist. */
  readonly queue: string
  /** The number of receives of a message before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number
}

/** Another engine that keeps a queue: any service with the SQS protocol, through `@aws-sdk/client-sqs`. */
export interface QueueEngineConfig {
  /** The URL of the engine. Default: AWS in `region`. */
  readonly endpoint?: string
  readonly region?: string
  /** Required for an engine that is not on this machine, because polling takes messages out of the queue. */
  readonly allowRemote?: boolean
}

/** The settings with which a function gets messages of a queue. */
export interface QueueFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /**
   * Selects the messages of the function: a pattern as in the event filtering of AWS, or several patterns. A
   * message must match one of them. Messages that match the filter of no function are deleted.
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
   * Whether the function reports each failed message: docs/contract/queue.md#response.batchItemFailures. Default
   * true, but false for functions of the dialect `aws`, as on AWS.
   */
  readonly reportBatchItemFailures?: boolean
}

/** A queue and the functions that get its messages. A queue whose name ends in `.fifo` is a FIFO queue. */
export interface QueueConfig<FunctionName extends string = string>
  extends Partial<QueueFunctionConfig<FunctionName>> {
  /**
   * Several functions. Each message goes to one function whose filter matches it. Functions with matching filters
   * take turns. `batchSize`, `maximumConcurrency` and `reportBatchItemFailures` of the queue are the defaults.
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
  /** Another engine that keeps this queue. The queue must already exist there. Default: the platform keeps it. */
  readonly engine?: QueueEngineConfig
}

/** The listener for clients of the queues. */
export interface QueueListenerConfig {
  /** The port of the listener. Default 9324. 0 means any free port. */
  readonly port?: number
  /** The address of the listener. Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  /**
   * Whether clients of other machines may connect without a key. Default false. Without this setting, other machines
   * may connect only if the configuration has `access`.
   */
  readonly open?: boolean
  /** The files of a certificate and its key (PEM). With them, clients connect over HTTPS. */
  readonly tls?: TlsConfig
  /** Further host names that the listener accepts in the Host header. */
  readonly names?: readonly string[]
  /** The limits of each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
}

/** The keys of a configuration that belong to queues. */
export interface QueuesConfig<FunctionName extends string = string> {
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
  readonly queueListener?: QueueListenerConfig
}
