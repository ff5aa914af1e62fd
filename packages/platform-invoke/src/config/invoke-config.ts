import {
  type ConfigOf,
  defaultHost,
  hostNames,
  integerFrom,
  listenerLimits,
  mapOf,
  nonEmptyText,
  objectOf,
  optional,
  port,
  tlsFiles,
  wholeSeconds,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'

export const eventFields = {
  /** The maximum number of retries of a failed event, from 0 to 2. Default 2. */
  maximumRetryAttempts: optional(integerFrom(0, 2), 2),
  /**
   * Seconds after which an event that has not run is dropped or sent to `onFailure`, from 60 to 21,600. Default six
   * hours.
   */
  maximumEventAge: optional(wholeSeconds(60, 21_600), 21_600),
  /** The standard queue for events that will not be retried. Without this setting, they are dropped. */
  onFailure: optional(nonEmptyText),
}

/** Settings for asynchronous events that fail. */
export interface EventConfig extends ConfigOf<typeof eventFields> {}

export const invokeFields = {
  ...eventFields,
  /** The port to listen on. Default 9332. With 0, the system chooses a free port. */
  port: optional(port, 9332),
  /** The address to listen on. Default `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether everyone who reaches the listener may call every function without a key. Default false. Without this setting
   * and without `access`, only programs on this machine may, and `signalbox start` refuses that.
   */
  open: optional(t.boolean, false),
  /** Additional host names by which clients reach this host. */
  names: optional(hostNames, []),
  /** The limits of each client address. Default: no limits. */
  limits: optional(listenerLimits),
  /** The PEM files of a certificate and its key. With them, clients connect over HTTPS. */
  tls: optional(tlsFiles),
  functions: optional(mapOf<EventConfig>(eventFields)),
}

/** The Invoke API of AWS Lambda for the functions of the platform. */
export interface InvokeConfig<FunctionName extends string = string>
  extends Omit<ConfigOf<typeof invokeFields>, 'functions'> {
  /** Event settings of individual functions. They override the settings above. */
  readonly functions?: { readonly [name in FunctionName]?: EventConfig }
}

export const invokesFields = {
  /** The Invoke API of AWS Lambda. Default: the platform does not serve it. */
  invoke: optional(objectOf<InvokeConfig>(invokeFields)),
}

/** The keys of a configuration that belong to the Invoke API. */
export interface InvokesConfig<FunctionName extends string = string> extends ConfigOf<typeof invokesFields> {
  readonly invoke?: InvokeConfig<NoInfer<FunctionName>>
}
