import type { Dialect } from '../dialect/dialect.ts'
import type { DialectName } from '../dialect/dialects.ts'
import type { Handler } from '../invoker/in-process.ts'
import type { FilterPattern } from '../sources/queue/filter/filter-pattern.ts'
import type { MailConfig } from './mail-config.ts'

/** A function of the user's, and how it is run. Either `module` or `handler` says what it is. */
export interface FunctionConfig {
  /** The file that exports it, relative to the configuration. It runs in processes of its own. */
  readonly module?: string
  /** The name under which `module` exports it. Default `handler`. */
  readonly export?: string
  /** The function itself, for tests: it runs in this process, and cannot be killed. */
  readonly handler?: Handler
  /**
   * Seconds for one event. Default 10, or 15 for a function whose answer delivery of mail waits for. Triggers and
   * mails get no more than their contract grants.
   */
  readonly timeout?: number
  /** How many events may be worked on at a time, each in a process of its own. Default 8. */
  readonly instances?: number
  /** Seconds that an event waits for an instance when all are at work. Default 10. */
  readonly wait?: number
  /** MB of heap for each instance. Default 256. */
  readonly memory?: number
  /** Environment variables, added to those of the platform. */
  readonly env?: { readonly [name: string]: string }
  /**
   * The words in which the function is spoken to, when they are not the contract's own: `aws` for functions that
   * were written for AWS Lambda, or a dialect of yours.
   */
  readonly dialect?: DialectName | Dialect
}

/** Health checks of a load balancer. */
export interface HealthCheckConfig {
  /** Default `/`. */
  readonly path?: string
  /** Seconds between two checks. Default 35. */
  readonly interval?: number
  /** Checks in a row after which the function counts as healthy. Default 5. */
  readonly healthyThreshold?: number
  /** Checks in a row after which it counts as unhealthy. Default 2. */
  readonly unhealthyThreshold?: number
}

/** An HTTP listener in front of a function. */
export interface LoadBalancerConfig<FunctionName extends string = string> {
  /** 0 takes any that is free. */
  readonly port: number
  /** The address to listen on. Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  readonly function: FunctionName
  /** Whether every value of a repeated header or parameter goes in. Default false. Contract D. */
  readonly multiValueHeaders?: boolean
  /** What the event says as `requestContext.elb.targetGroupArn`. Made from the name by default. */
  readonly targetGroupArn?: string
  readonly healthCheck?: HealthCheckConfig
}

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
  readonly retention?: number
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

/** Where functions fetch the mails that they are asked about. */
export interface ControlConfig {
  /** Default 9330; 0 takes any that is free. */
  readonly port?: number
  /** Default `127.0.0.1`, which only this machine reaches. Nobody is authenticated. */
  readonly host?: string
}

/** How much the journal keeps. */
export interface JournalConfig {
  /** Days. Default 7. */
  readonly age?: number
  /** MB. Default 64. */
  readonly size?: number
}

/** Everything that the platform plays. */
export interface Config<FunctionName extends string = string> {
  /** May be left out of a box of queues alone. */
  readonly functions?: { readonly [name in FunctionName]: FunctionConfig }
  readonly loadBalancers?: { readonly [name: string]: LoadBalancerConfig<NoInfer<FunctionName>> }
  readonly queues?: { readonly [name: string]: QueueConfig<NoInfer<FunctionName>> }
  readonly queueListener?: QueueListenerConfig
  readonly mail?: MailConfig<NoInfer<FunctionName>>
  readonly control?: ControlConfig
  /** The region that events, resource names and addresses name. Default `local`. */
  readonly region?: string
  /** The account that they name, of twelve digits. Default `000000000000`. */
  readonly account?: string
  /** Where the platform keeps its files, relative to the configuration. `:memory:` keeps none. Default `.signalbox`. */
  readonly dataDir?: string
  readonly journal?: JournalConfig
  /** Seconds that running invocations get to finish when the platform stops. Default 30. */
  readonly grace?: number
  /** Further folders whose files `signalbox dev` watches, relative to the configuration. */
  readonly watch?: readonly string[]
}
