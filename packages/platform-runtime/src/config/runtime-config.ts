import type { AccessConfig } from '../access/access-config.ts'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import type { TlsConfig } from '../fields/tls-files.ts'
import type { FunctionConfig } from '../invoker/function-config.ts'

/** The address where functions fetch the documents of sources, such as whole mails. */
export interface ControlConfig {
  /** The port to listen on. Default 9330. With 0, the system chooses a free port. */
  readonly port?: number
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string
  /**
   * Whether everyone who reaches the control address may use it without a key. Default false. Without this setting and
   * without `access`, only programs on this machine may, and `signalbox start` refuses that.
   */
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
   * Whether tests in any language may use the platform over HTTP, below `/testing` of this address: read what was called
   * and sent, codes included, move the clock, and delete all data. Default false. Refused for a public host, and for any
   * other machine without `access`.
   */
  readonly testing?: boolean
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
  /** The maximum size in MB: in SQLite, that of its part of the file. Default 64. */
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
   * The clients that may use the platform. Without this key, clients are not authenticated: listeners are for this
   * machine, or for everyone where they say `open: true`.
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
