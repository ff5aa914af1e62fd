import type { Dialect } from '../dialect/dialect.ts'
import type { SecretConfig } from '../fields/secret.ts'
import type { Handler } from './in-process.ts'

/** A function on AWS Lambda, or on a service with the same Invoke API, such as another platform. */
export interface LambdaConfig {
  /** The name or the ARN of the function. */
  readonly functionName: string
  readonly region: string
  /** The URL of a service other than AWS. */
  readonly endpoint?: string
  /** A version or an alias. Default `$LATEST`. */
  readonly qualifier?: string
  /** The key that signs calls. By default, the AWS client finds credentials itself. */
  readonly accessKeyId?: string
  readonly secretAccessKey?: SecretConfig
}

/** A user's function and how it runs. Exactly one of `module`, `handler`, `url` and `lambda` is set. */
export interface FunctionConfig<DialectName extends string = string> {
  /** The file that exports the function, relative to the configuration. The function runs in separate processes. */
  readonly module?: string
  /** The name under which `module` exports the function. Default `handler`. */
  readonly export?: string
  /** The function itself, for tests. It runs in this process, and cannot be killed. */
  readonly handler?: Handler
  /**
   * An HTTP endpoint that takes events as POST requests in JSON, and answers with payloads. Redirects are not followed.
   */
  readonly url?: string
  /**
   * The secret that signs each event for `url`, so that the endpoint can check it with `hasValidSignature()`. It has at
   * least 16 characters, or begins with `whsec_` and has at least 16 bytes in base64.
   */
  readonly secret?: SecretConfig
  /** Further headers of the requests to `url`, such as `authorization`. */
  readonly headers?: { readonly [name: string]: SecretConfig }
  /** A function on AWS Lambda, through `@aws-sdk/client-lambda`, which you install yourself. */
  readonly lambda?: LambdaConfig
  /**
   * Seconds that one event may take. Default 10, or 15 for a function that decides about mail. For triggers and mails,
   * the contract sets an upper limit.
   */
  readonly timeout?: number
  /** The maximum number of concurrent events. With `module`, each of them runs in a separate process. Default 8. */
  readonly instances?: number
  /** Seconds that an event may wait for a free instance. Default 10. */
  readonly wait?: number
  /** The heap size of each instance of `module` in MB. Default 256. */
  readonly memory?: number
  /** Environment variables for `module`, in addition to those of the platform. */
  readonly env?: { readonly [name: string]: string }
  /**
   * The dialect of a function that does not use the contract's own names: `aws` for functions written for AWS Lambda,
   * or your own dialect.
   */
  readonly dialect?: DialectName | Dialect
}

/** The functions of a configuration, each with its time-out filled in. */
export type TimedFunctions = {
  readonly [name: string]: FunctionConfig & { readonly timeout: number }
}
