import * as t from 'io-ts'
import type { Dialect } from '../dialect/dialect.ts'
import {
  type ConfigOf,
  integerFrom,
  matching,
  nonEmptyText,
  objectOf,
  optional,
  required,
  seconds,
  textLike,
  wholeSeconds,
} from '../fields/field.ts'
import type { SecretConfig } from '../fields/secret.ts'
import type { Handler } from './in-process.ts'

/** Returns a rule for values that `functionProblems` checks, because its errors do not show what may be secret. */
const checkedLater = <A>(name: string) => matching<A>(name, () => true)
const url = checkedLater<string>('an http or https URL')
const secret = checkedLater<SecretConfig>('a text, { env: NAME } or { file: PATH }')

const lambdaFields = {
  /** The name or the ARN of the function. */
  functionName: required(textLike('the name of a function', /^[\w:$-]{1,170}$/)),
  /** The region of the function. */
  region: required(nonEmptyText),
  /** The URL of a service other than AWS. */
  endpoint: optional(url),
  /** A version or an alias. Default `$LATEST`. */
  qualifier: optional(nonEmptyText),
  /** The key that signs calls. By default, the AWS client finds credentials itself. */
  accessKeyId: optional(nonEmptyText),
  /** The secret of the key. */
  secretAccessKey: optional(secret),
}

/** A function on AWS Lambda, or on a service with the same Invoke API, such as another platform. */
export interface LambdaConfig extends ConfigOf<typeof lambdaFields> {}

/** Returns a rule for the name of one of these dialects, or for a dialect. */
export function dialectRule(names: readonly string[]) {
  return matching<string | Dialect>(
    `${names.join(', ')}, or a dialect: { event, result }, both functions`,
    value =>
      typeof value === 'string'
        ? names.includes(value)
        : ['event', 'result'].every(
            key => typeof (value as Record<string, unknown> | null)?.[key] === 'function',
          ),
  )
}

/** A program and its arguments. */
const commandLine = matching<readonly [string, ...string[]]>(
  'a list of texts: a program and its arguments',
  value =>
    Array.isArray(value) &&
    value.length > 0 &&
    value[0] !== '' &&
    value.every(each => typeof each === 'string' && !each.includes('\0')),
)

/** The keys that say where the code of a function is. */
export const codeFields = {
  /** The file that exports the function, relative to the configuration. The function runs in separate processes. */
  module: optional(nonEmptyText),
  /**
   * A program in any language, with its arguments, that speaks the runtime interface of AWS Lambda. It runs in separate
   * processes, with `cwd` as its folder.
   */
  command: optional(commandLine),
  /** The working folder of `command`, relative to the configuration. Default: the folder of the configuration. */
  cwd: optional(nonEmptyText),
  /** The programs that run beside each instance of `command`, as extensions of AWS Lambda, relative to `cwd`. */
  extensions: optional(t.readonlyArray(nonEmptyText, 'a list of programs'), []),
  /** The name under which `module` exports the function, or what `command` gets as `_HANDLER`. Default `handler`. */
  export: optional(nonEmptyText, 'handler'),
  /** The function itself, for tests. It runs in this process, and cannot be killed. */
  handler: optional(
    matching<Handler>('a function, such as signalbox(…) returns', value => typeof value === 'function'),
  ),
  /**
   * An HTTP endpoint that takes events as POST requests in JSON, and answers with payloads. Redirects are not followed.
   */
  url: optional(url),
  /**
   * The secret that signs each event for `url`, so that the endpoint can check it with `hasValidSignature()`. It has at
   * least 16 characters, or begins with `whsec_` and has at least 16 bytes in base64.
   */
  secret: optional(secret),
  /** Further headers of the requests to `url`, such as `authorization`. */
  headers: optional(checkedLater<{ readonly [name: string]: SecretConfig }>('an object'), {}),
  /** A function on AWS Lambda, through `@aws-sdk/client-lambda`, which you install yourself. */
  lambda: optional(objectOf<LambdaConfig>(lambdaFields)),
}

export const durableFields = {
  /**
   * Seconds that an execution may take, with everything that it waits for, up to a year. A client that waits for the
   * result allows 15 minutes.
   */
  timeout: required(wholeSeconds(1, 31_622_400)),
  /** Days for which an execution and its history are kept after its end, from 1 to 90. Default 14. */
  retention: optional(integerFrom(1, 90, 'days'), 14),
}

/** How the executions of a durable function run. */
export interface DurableConfig extends ConfigOf<typeof durableFields> {}

/** The keys that say how a function runs. */
export const runFields = {
  /**
   * Seconds that one event may take. Default 10, or 15 for a function that decides about mail. For triggers and mails,
   * the contract sets an upper limit.
   */
  timeout: optional(seconds(0.01, 900)),
  /** The maximum number of instances, which are processes of `module` or `command`, and of concurrent calls otherwise. Default 8. */
  instances: optional(integerFrom(1, 1000), 8),
  /**
   * The maximum number of events that one instance runs at the same time. With more than one, a function must not keep the
   * state of an event outside of its call, and an instance whose event takes too long runs its other events to their end
   * before it is replaced. Default 1.
   */
  concurrency: optional(integerFrom(1, 1000), 1),
  /**
   * `isolated`: an instance gets the events of one tenant only, which the Invoke API names in `X-Amz-Tenant-Id`. Default
   * `shared`.
   */
  tenancy: optional(t.keyof({ shared: null, isolated: null }), 'shared'),
  /**
   * Makes the function durable: what it does in steps is kept, and it can wait for days without running. It uses an SDK
   * for durable functions of AWS Lambda, and the platform needs the key `invoke`.
   */
  durable: optional(objectOf<DurableConfig>(durableFields)),
  /** Seconds that an event may wait for a free instance. Default 10. */
  wait: optional(seconds(0, 900), 10),
  /** The heap size of each instance of `module`, or the resident memory of each instance of `command`, in MB. Default 256. */
  memory: optional(integerFrom(16, 65_536, 'MB'), 256),
  /** Environment variables for `module` or `command`, in addition to those of the platform. */
  env: optional<{ readonly [name: string]: string }>(t.record(t.string, t.string, 'a map of texts'), {}),
  /**
   * The dialect of a function that does not use the contract's own names: `aws` for functions written for AWS Lambda,
   * or your own dialect.
   */
  dialect: optional(dialectRule([])),
}

export const functionFields = { ...codeFields, ...runFields }

/** A user's function and how it runs. Exactly one of `module`, `command`, `handler`, `url` and `lambda` is set. */
export interface FunctionConfig<DialectName extends string = string> extends ConfigOf<typeof functionFields> {
  readonly dialect?: DialectName | Dialect
}

/** The functions of a configuration, each with its time-out filled in. */
export type TimedFunctions = {
  readonly [name: string]: FunctionConfig & { readonly timeout: number }
}
