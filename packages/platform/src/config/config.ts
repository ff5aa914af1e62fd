import type { Dialect } from '../dialect/dialect.ts'
import type { DialectName } from '../dialect/dialects.ts'
import type { Handler } from '../invoker/in-process.ts'

/** A function of the user's, and how it is run. Either `module` or `handler` says what it is. */
export interface FunctionConfig {
  /** The file that exports it, relative to the configuration. It runs in processes of its own. */
  readonly module?: string
  /** The name under which `module` exports it. Default `handler`. */
  readonly export?: string
  /** The function itself, for tests: it runs in this process, and cannot be killed. */
  readonly handler?: Handler
  /** Seconds for one event. Default 10. Triggers and mails get no more than their contract grants. */
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

/** How much the journal keeps. */
export interface JournalConfig {
  /** Days. Default 7. */
  readonly age?: number
  /** MB. Default 64. */
  readonly size?: number
}

/** Everything that the platform plays. */
export interface Config<FunctionName extends string = string> {
  readonly functions: { readonly [name in FunctionName]: FunctionConfig }
  readonly loadBalancers?: { readonly [name: string]: LoadBalancerConfig<NoInfer<FunctionName>> }
  /** Where the platform keeps its files, relative to the configuration. `:memory:` keeps none. Default `.signalbox`. */
  readonly dataDir?: string
  readonly journal?: JournalConfig
  /** Seconds that running invocations get to finish when the platform stops. Default 30. */
  readonly grace?: number
  /** Further folders whose files `signalbox dev` watches, relative to the configuration. */
  readonly watch?: readonly string[]
}
