import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'

/** Settings for asynchronous events that fail. */
export interface EventConfig {
  /** The maximum number of retries of a failed event, from 0 to 2. Default 2. */
  readonly maximumRetryAttempts?: number
  /**
   * Seconds after which an event that has not run is dropped or sent to `onFailure`, from 60 to 21,600. Default six
   * hours.
   */
  readonly maximumEventAge?: number
  /** The standard queue for events that will not be retried. Without this setting, they are dropped. */
  readonly onFailure?: string
}

/** The Invoke API of AWS Lambda for the functions of the platform. */
export interface InvokeConfig<FunctionName extends string = string> extends EventConfig {
  /** The port to listen on. Default 9332. With 0, the system chooses a free port. */
  readonly port?: number
  /** The address to listen on. Default `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /**
   * Whether everyone who reaches the listener may call every function without a key. Default false. Without this setting
   * and without `access`, only programs on this machine may, and `signalbox start` refuses that.
   */
  readonly open?: boolean
  /** Additional host names by which clients reach this host. */
  readonly names?: readonly string[]
  /** The PEM files of a certificate and its key. With them, clients connect over HTTPS. */
  readonly tls?: TlsConfig
  /** The limits of each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
  /** Event settings of individual functions. They override the settings above. */
  readonly functions?: { readonly [name in FunctionName]?: EventConfig }
}

/** The keys of a configuration that belong to the Invoke API. */
export interface InvokesConfig<FunctionName extends string = string> {
  readonly invoke?: InvokeConfig<NoInfer<FunctionName>>
}
