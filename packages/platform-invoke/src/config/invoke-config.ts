import type { ListenerLimitsConfig, TlsConfig } from '@signalbox/platform-runtime/config'

/** The treatment of asynchronous events that fail. */
export interface EventConfig {
  /** The number of further attempts after an event has failed: 0 to 2. Default 2. */
  readonly maximumRetryAttempts?: number
  /**
   * Seconds after which an event that has not run is dropped or sent to `onFailure`: 60 to 21,600. Default six hours.
   */
  readonly maximumEventAge?: number
  /** The standard queue that gets events that will not be tried again. Default: they are dropped. */
  readonly onFailure?: string
}

/** The Invoke API of AWS Lambda for the functions of the platform. */
export interface InvokeConfig<FunctionName extends string = string> extends EventConfig {
  /** The port to listen on. Default 9332. With 0, the system chooses a free port. */
  readonly port?: number
  /** The address to listen on. Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
  /**
   * Required when other machines reach `host` and `access` is not set: then any client may call every
   * function.
   */
  readonly open?: boolean
  /** Further names that clients use for this host. */
  readonly names?: readonly string[]
  /** The files of a certificate and its key (PEM). With them clients connect by https. */
  readonly tls?: TlsConfig
  /** The limits of each client address. Default: no limits. */
  readonly limits?: ListenerLimitsConfig
  /** Settings for the events of individual functions, which override the settings above. */
  readonly functions?: { readonly [name in FunctionName]?: EventConfig }
}

/** The keys of a configuration that belong to the Invoke API. */
export interface InvokesConfig<FunctionName extends string = string> {
  readonly invoke?: InvokeConfig<NoInfer<FunctionName>>
}
