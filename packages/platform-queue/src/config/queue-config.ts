import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'
import type { FilterPattern } from '../filter/filter-pattern.ts'

/** The destination of a message that was received too often. */
export interface DeadLetterConfig {
  /** The name of the dead-letter queue. The platform creates it when it does not exist. */
  readonly queue: string
  /** The number of receives of a message before it moves to the dead-letter queue. */
  readonly maxReceiveCount: number
}

/** Another engine that keeps a queue: any service that speaks SQS, through `@aws-sdk/client-sqs`. */
export interface QueueEngineConfig {
  /** Its URL. Default: AWS itself, in `region`. */
  readonly endpoint?: string
  readonly region?: string
  /** Required for an engine that is not on this machine, because polling a queue takes its messages. */
  readonly allowRemote?: boolean
}

/** How a function gets messages of a queue. */
export interface QueueFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /**
   * Selects the messages of the function: a pattern as in the event filtering of AWS, or several patterns. A message
   * needs to match one of them. Messages that no function of the queue matches are deleted.
   */
  readonly filter?: FilterPattern | readonly FilterPattern[]
  /**
   * The largest number of messages in a batch. Default 10. More than 10 requires a batch window and a standard queue.
   */
  readonly batchSize?: number
  /** The number of batches that are processed at a time. Default: the instances of the function. */
  readonly maximumConcurrency?: number
  /**
   * Whether the function reports single failed messages: docs/contract/queue.md#response.batchItemFailures. Default
   * true, but false for functions of the dialect `aws`, as on AWS.
   */
  readonly reportBatchItemFailures?: boolean
}

/** A queue and the functions that get its messages. A name that ends in `.fifo` makes it a FIFO queue. */
export interface QueueConfig<FunctionName extends string = string>
  extends Partial<QueueFunctionConfig<FunctionName>> {
  /**
   * Several functions. Each message goes to one function that matches it. Functions that match the same messages take
   * turns. `batchSize`, `maximumConcurrency` and `reportBatchItemFailures` of the queue are the defaults.
   */
  readonly functions?: readonly QueueFunctionConfig<FunctionName>[]
  /** Seconds for which a batch that is not full waits for more messages. Default 0. */
  readonly batchWindow?: number
  /** Seconds for which a received message stays hidden. Default 30, or as long as function and batch window need. */
  readonly visibilityTimeout?: number
  /** Seconds for which a sent message stays hidden. Default 0. */
  readonly delay?: number
  /** Seconds for which the queue keeps a message. Default: four days. */
  readonly retentionPeriod?: number
  /** FIFO: uses the digest of the body as the deduplication id of messages without one. */
  readonly contentBasedDeduplication?: boolean
  readonly deadLetter?: DeadLetterConfig
  /** Another engine that keeps this queue, which must exist there. Default: the platform keeps it. */
  readonly engine?: QueueEngineConfig
}

/** The address that clients of the queues connect to. */
export interface QueueListenerConfig {
  /** Default 9324; 0 selects a free port. */
  readonly port?: number
  /** Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  /** Whether clients of other machines need no key. Default false: the configuration needs `access` then. */
  readonly open?: boolean
  /** The files of a certificate and its key (PEM). With them clients connect by https. */
  readonly tls?: TlsConfig
  /** Further names of this listener in the Host header of requests. */
  readonly names?: readonly string[]
  /** What each address may use. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
}

/** The keys of a configuration that belong to queues. */
export interface QueuesConfig<FunctionName extends string = string> {
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
  readonly queueListener?: QueueListenerConfig
}
