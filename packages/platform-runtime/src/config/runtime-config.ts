import type { AccessConfig } from '../access/access-config.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Handler } from '../invoker/in-process.ts'
import type { ListenerLimitsConfig } from './limits.ts'
import type { SecretConfig } from './secret.ts'
import type { TlsConfig } from './tls-files.ts'

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

/** The address where functions fetch the documents of sources, such as whole mails. */
export interface ControlConfig {
  /** The port to listen on. Default 9330. With 0, the system chooses a free port. */
  readonly port?: number
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /** Whether clients on other machines need no key. Default false. */
  readonly open?: boolean
  /** Further names of this machine that the Host header can contain. */
  readonly names?: readonly string[]
  /** The limits of each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
  /**
   * The files of a certificate and its key (PEM). With them, clients connect over HTTPS, and functions use the first of
   * `names` as the host name.
   */
  readonly tls?: TlsConfig
  /**
   * Whether `signalbox start` and `createPlatform` serve the console at this address, as `signalbox dev` always does.
   * Default false.
   */
  readonly console?: boolean
  /**
   * The origin at which browsers reach the console when a proxy ends TLS, such as `https://console.example.com`. The
   * proxy has to forward the Host header.
   */
  readonly origin?: string
}

/** The limits of the invocation log. */
export interface InvocationLogConfig {
  /** Days for which entries are kept. Default 7. */
  readonly age?: number
  /** The maximum size in MB. Default 64. */
  readonly size?: number
}

/** The parts of a configuration that belong to no source. */
export interface RuntimeConfig<FunctionName extends string = string, DialectName extends string = string> {
  /**
   * The functions by name. Without functions, the platform serves only the clients of its sources, such as queue
   * clients.
   */
  readonly functions?: { readonly [name in FunctionName]: FunctionConfig<DialectName> }
  readonly control?: ControlConfig
  /**
   * The clients that may use the platform. Without this key, clients are not authenticated, and only this machine may
   * connect.
   */
  readonly access?: AccessConfig
  /** The region in events, resource names and addresses. Default `local`. */
  readonly region?: string
  /** The account in events, resource names and addresses: twelve digits. Default `000000000000`. */
  readonly account?: string
  /**
   * The folder of the platform's files, relative to the configuration. `:memory:` keeps no files. Default `.signalbox`.
   */
  readonly dataDir?: string
  /**
   * The storage engine that keeps data, by name, with its settings. Default: files in `dataDir`.
   */
  readonly storage?: object
  readonly invocationLog?: InvocationLogConfig
  /** Seconds that running invocations get to finish when the platform stops. Default 30. */
  readonly grace?: number
  /**
   * Seconds between the stop and the moment when listeners close. Until then `GET /readyz` of the control address
   * answers 503 and everything else continues, so that load balancers send requests elsewhere. Default 0.
   */
  readonly drain?: number
  /** Further folders whose files `signalbox dev` watches, relative to the configuration. */
  readonly watch?: readonly string[]
}

/** The functions of a configuration, each with its time-out filled in. */
export type TimedFunctions = {
  readonly [name: string]: FunctionConfig & { readonly timeout: number }
}
