import type { FilterPattern } from '../filter/filter-pattern.ts'

/** Where messages go that fail too often. */
export interface DeadLetterConfig {
  /** The name of a queue, which is made when it is not there. */
  readonly queue: string
  /** Receives after which a message that was not deleted is given up. */
  readonly maxReceiveCount: number
}

/** Another engine that keeps a queue: any service that speaks SQS, through `@aws-sdk/client-sqs`. */
export interface QueueEngineConfig {
  /** Its URL. Without one it is the provider itself, in `region`. */
  readonly endpoint?: string
  readonly region?: string
  /** Must be true for an engine that is not on this machine: whoever polls a queue takes its messages. */
  readonly allowRemote?: boolean
}

/** How a function gets messages of a queue. */
export interface QueueFunctionConfig<FunctionName extends string = string> {
  readonly function: FunctionName
  /**
   * Which messages the function gets: a pattern as in the event filtering of stock services, or several of which one is
   * enough. Messages that no function of the queue wants are deleted.
   */
  readonly filter?: FilterPattern | readonly FilterPattern[]
  /** Messages in a batch at most, 10 unless said otherwise. More than 10 only with a window, and not for FIFO. */
  readonly batchSize?: number
  /** Batches that are worked on at a time. Default: the instances of the function. */
  readonly maximumConcurrency?: number
  /**
   * Whether the function says which messages failed. Contract B. Default true, but for functions of the dialect `aws`,
   * where it is false as on the service.
   */
  readonly reportBatchItemFailures?: boolean
}

/** A queue, and the functions that get its messages. A name that ends in `.fifo` makes it a FIFO queue. */
export interface QueueConfig<FunctionName extends string = string>
  extends Partial<QueueFunctionConfig<FunctionName>> {
  /**
   * Several functions. Each message goes to one that wants it; those that want the same messages take turns. What one
   * does not say of `batchSize`, `maximumConcurrency` and `reportBatchItemFailures`, the queue says for all.
   */
  readonly functions?: readonly QueueFunctionConfig<FunctionName>[]
  /** Seconds for which a batch that is not full waits for more. Default 0. */
  readonly batchWindow?: number
  /** Seconds for which what was received stays hidden. Default 30, or what function and window need. */
  readonly visibilityTimeout?: number
  /** Seconds for which what was sent stays hidden. Default 0. */
  readonly delay?: number
  /** Seconds after which a message is dropped. Default four days. */
  readonly retentionPeriod?: number
  /** FIFO: messages without a deduplication id get the digest of their body as one. */
  readonly contentBasedDeduplication?: boolean
  readonly deadLetter?: DeadLetterConfig
  /** Another engine that keeps this queue, which has to be there. Default: this box keeps it. */
  readonly engine?: QueueEngineConfig
}

/** Where clients of the queues connect to. */
export interface QueueListenerConfig {
  /** Default 9324; 0 takes any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`, which only this machine reaches. Nobody is authenticated. */
  readonly host?: string
}

/** The keys of a configuration that belong to queues. */
export interface QueuesConfig<FunctionName extends string = string> {
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
  readonly queueListener?: QueueListenerConfig
}
