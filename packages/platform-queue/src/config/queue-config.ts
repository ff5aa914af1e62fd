import {
  type ConfigOf,
  defaultHost,
  hostNames,
  integerFrom,
  listenerLimits,
  listOf,
  mapOf,
  matching,
  nonEmptyText,
  objectOf,
  optional,
  port,
  required,
  tlsFiles,
  wholeSeconds,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { FilterPattern } from '../filter/filter-pattern.ts'

const deadLetterFields = {
  /** The name of the dead-letter queue. The platform creates it if it does not exist. */
  queue: required(nonEmptyText),
  /** The number of times that a message is received before it moves to the dead-letter queue. */
  maxReceiveCount: required(integerFrom(1, 1000)),
}

/** The destination of a message that was received too often. */
export interface DeadLetterConfig extends ConfigOf<typeof deadLetterFields> {}

const queueEngineFields = {
  /** The URL of the engine. Default: AWS in `region`. */
  endpoint: optional(
    matching<string>(
      'an http or https URL',
      value => /^https?:\/\/./.test(String(value)) && URL.canParse(String(value)),
    ),
  ),
  /** The region of the engine. Default: the one that the AWS client finds. */
  region: optional(nonEmptyText),
  /** Required for an engine that is not on this machine, because polling takes messages out of the queue. */
  allowRemote: optional(t.boolean),
}

/**
 * Another engine that stores a queue. Any service with the SQS protocol can be one. The platform connects to it with
 * `@aws-sdk/client-sqs`.
 */
export interface QueueEngineConfig extends ConfigOf<typeof queueEngineFields> {}

export const executionFields = {
  /**
   * When the message is deleted. `end`: when its execution has succeeded, and a failure is followed by another delivery.
   * `start`: as soon as its execution exists. Default `end`.
   */
  deleteAt: optional(t.keyof({ end: null, start: null }), 'end'),
  /** The standard queue for documents about executions that failed. Their messages are deleted. */
  onFailure: optional(nonEmptyText),
}

/** How the messages of a queue become executions of durable functions. */
export interface ExecutionPerMessageConfig extends ConfigOf<typeof executionFields> {}

export const queueFunctionFields = {
  /** The function that gets the messages. */
  function: required(t.string),
  /**
   * Selects the messages that the function gets: one pattern or several, as in AWS event filtering. A message must
   * match one of them. Messages that match the filter of no function are deleted.
   */
  filter: optional(
    matching<FilterPattern | readonly FilterPattern[]>(
      'a pattern, or a list of patterns',
      value => typeof value === 'object' && value !== null,
    ),
  ),
  /**
   * The maximum number of messages in a batch. Default 10. A larger number requires a batch window and a
   * standard queue.
   */
  batchSize: optional(integerFrom(1, 10_000), 10),
  /**
   * The maximum number of batches that are processed at the same time. Default: the number of instances of the
   * function.
   */
  maximumConcurrency: optional(integerFrom(1, 1000)),
  /**
   * Whether the function reports each failed message, see docs/contract/queue.md#response.batchItemFailures. The
   * default is true, but false for functions with the dialect `aws`, as on AWS.
   */
  reportBatchItemFailures: optional(t.boolean),
}

/** The settings for delivering the messages of a queue to a function. */
export interface QueueFunctionConfig<FunctionName extends string = string>
  extends ConfigOf<typeof queueFunctionFields> {
  readonly function: FunctionName
}

export const queueFields = {
  ...queueFunctionFields,
  /** The function that gets the messages of a queue with one function. */
  function: optional(t.string),
  /**
   * The functions of a queue that has several. Each message goes to one function whose filter matches it. Functions
   * with matching filters take turns; with `executionPerMessage`, the first one gets the message. `batchSize`, `maximumConcurrency` and `reportBatchItemFailures` of the queue are
   * the defaults.
   */
  functions: optional(
    listOf<QueueFunctionConfig>(queueFunctionFields, 'a list of functions and how each gets messages'),
  ),
  /** The number of seconds for which an incomplete batch waits for more messages. Default 0. */
  batchWindow: optional(wholeSeconds(0, 300), 0),
  /**
   * The number of seconds for which a received message stays hidden. Default: 30, or more if the function and
   * the batch window need it.
   */
  visibilityTimeout: optional(wholeSeconds(0, 43_200)),
  /** The number of seconds for which a sent message stays hidden. Default 0. */
  delay: optional(wholeSeconds(0, 900), 0),
  /** The number of seconds for which the queue keeps a message. Default: four days. */
  retentionPeriod: optional(wholeSeconds(60, 1_209_600), 345_600),
  /**
   * Whether a message without a deduplication id gets the digest of its body as the id. Only for FIFO queues. Default
   * false.
   */
  contentBasedDeduplication: optional(t.boolean, false),
  /** Where messages go that were received too often. Default: they stay. */
  deadLetter: optional(objectOf<DeadLetterConfig>(deadLetterFields)),
  /**
   * Starts an execution of a durable function for each message, with the message id as its name, so that a redelivery
   * starts no other. Default: an execution for each batch.
   */
  executionPerMessage: optional(objectOf<ExecutionPerMessageConfig>(executionFields)),
  /** Another engine that stores this queue. The queue must already exist there. Default: the platform stores it. */
  engine: optional(objectOf<QueueEngineConfig>(queueEngineFields)),
}

/** A queue and the functions that get its messages. A queue whose name ends in `.fifo` is a FIFO queue. */
export interface QueueConfig<FunctionName extends string = string> extends ConfigOf<typeof queueFields> {
  readonly function?: FunctionName
  readonly functions?: readonly QueueFunctionConfig<FunctionName>[]
}

export const queueListenerFields = {
  /** The port of the listener. Default: 9324. With 0, the listener uses any free port. */
  port: optional(port, 9324),
  /** The address of the listener. Default: `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether everyone who reaches the listener may use it without a key. Default false. Without this setting and without
   * `access`, only programs on this machine may use it, and `signalbox start` refuses that.
   */
  open: optional(t.boolean, false),
  /** Additional host names that the listener accepts in the Host header. */
  names: optional(hostNames, []),
  /** The limits for each client address. Default: no limits. */
  limits: optional(listenerLimits),
  /** The PEM files of a certificate and its key. If they are set, clients connect over HTTPS. */
  tls: optional(tlsFiles),
}

/** The listener for clients of the queues. */
export interface QueueListenerConfig extends ConfigOf<typeof queueListenerFields> {}

/** The names of queues, as on SQS. */
export const queueNames = {
  pattern: /^(?=.{1,80}$)[A-Za-z0-9][A-Za-z0-9_-]*(\.fifo)?$/,
  expected: 'a name of letters, digits, - and _, 80 at most; a FIFO queue ends in .fifo',
}

export const queuesFields = {
  /** The queues by name. */
  queues: optional(mapOf<QueueConfig>(queueFields, queueNames)),
  /** The listener for clients of the queues. */
  queueListener: optional(objectOf<QueueListenerConfig>(queueListenerFields)),
}

/** The configuration keys for queues. */
export interface QueuesConfig<FunctionName extends string = string> extends ConfigOf<typeof queuesFields> {
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
}
