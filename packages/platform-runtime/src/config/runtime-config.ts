import * as t from 'io-ts'
import { type AccessConfig, accessFields } from '../access/access-config.ts'
import {
  type ConfigOf,
  days,
  type Fields,
  hostNames,
  mapOf,
  matching,
  megabytes,
  nonEmptyText,
  object,
  objectOf,
  optional,
  port,
  seconds,
  textLike,
} from '../fields/field.ts'
import { listenerLimits } from '../fields/limits.ts'
import { tlsFiles } from '../fields/tls-files.ts'
import { dialectRule, type FunctionConfig, functionFields } from '../invoker/function-config.ts'
import { defaultHost } from '../listener/listener-addresses.ts'
import { defaultLocation } from '../location.ts'

export const controlFields = {
  /** The port to listen on. Default 9330. With 0, the system chooses a free port. */
  port: optional(port, 9330),
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether everyone who reaches the control address may use it without a key. Default false. Without this setting and
   * without `access`, only programs on this machine may, and `signalbox start` refuses that.
   */
  open: optional(t.boolean, false),
  /** Further names of this machine that the Host header can contain. */
  names: optional(hostNames, []),
  /** The limits of each client address. Default: no limits. */
  limits: optional(listenerLimits),
  /**
   * The files of a certificate and its key (PEM). With them, clients connect over HTTPS, and functions use the first of
   * `names` as the host name.
   */
  tls: optional(tlsFiles),
  /**
   * Whether `signalbox start` and `createPlatform` serve the console at this address, as `signalbox dev` always does.
   * Default false.
   */
  console: optional(t.boolean, false),
  /**
   * Whether tests in any language may use the platform over HTTP, below `/testing` of this address: read what was called
   * and sent, codes included, move the clock, and delete all data. Default false. Refused for a public host, and for any
   * other machine without `access`.
   */
  testing: optional(t.boolean, false),
  /**
   * The origin at which browsers reach the console when a proxy ends TLS, such as `https://console.example.com`. The
   * proxy has to forward the Host header.
   */
  origin: optional(
    matching<string>(
      'an origin such as https://console.example.com',
      value => /^https?:\/\//.test(String(value)) && URL.parse(String(value))?.origin === value,
    ),
  ),
}

/** The address where functions fetch the documents of sources, such as whole mails. */
export interface ControlConfig extends ConfigOf<typeof controlFields> {}

export const invocationLogFields = {
  /** Days for which entries are kept. Default 7. */
  age: optional(days(0.001, 3650), 7),
  /** The maximum size in MB: in SQLite, that of its part of the file. Default 64. */
  size: optional(megabytes(1, 100_000), 64),
}

/** The limits of the invocation log. */
export interface InvocationLogConfig extends ConfigOf<typeof invocationLogFields> {}

export const runtimeFields = {
  /**
   * The functions by name. Without functions, the platform serves only the clients of its sources, such as queue
   * clients.
   */
  functions: optional(mapOf<FunctionConfig>(functionFields)),
  /** The address where functions fetch documents, such as whole mails. */
  control: optional(objectOf<ControlConfig>(controlFields)),
  /**
   * The clients that may use the platform. Without this key, clients are not authenticated: listeners are for this
   * machine, or for everyone where they say `open: true`.
   */
  access: optional(objectOf<AccessConfig>(accessFields)),
  /** The region in events, resource names and addresses. Default `local`. */
  region: optional(
    textLike('letters, digits and hyphens, 64 at most', /^[A-Za-z0-9-]{1,64}$/),
    defaultLocation.region,
  ),
  /** The account in events, resource names and addresses: twelve digits. Default `000000000000`. */
  account: optional(textLike('a text of twelve digits', /^\d{12}$/), defaultLocation.account),
  /**
   * The folder of the platform's files, relative to the configuration. `:memory:` keeps no files. Default `.signalbox`.
   */
  dataDir: optional(nonEmptyText, '.signalbox'),
  /**
   * The storage engine that keeps data, by name, with its settings. Default: files in `dataDir`.
   */
  storage: optional(object),
  /** The limits of the invocation log. */
  invocationLog: optional(objectOf<InvocationLogConfig>(invocationLogFields), {}),
  /** Seconds that running invocations get to finish when the platform stops. Default 30. */
  grace: optional(seconds(0, 900), 30),
  /**
   * Seconds between the stop and the moment when listeners close. Until then `GET /readyz` of the control address
   * answers 503 and everything else continues, so that load balancers send requests elsewhere. Default 0.
   */
  drain: optional(seconds(0, 900), 0),
  /** Further folders whose files `signalbox dev` watches, relative to the configuration. */
  watch: optional(t.readonlyArray(nonEmptyText, 'a list of folders'), []),
}

/** The parts of a configuration that belong to no source. */
export interface RuntimeConfig<FunctionName extends string = string, DialectName extends string = string>
  extends ConfigOf<typeof runtimeFields> {
  readonly functions?: { readonly [name in FunctionName]: FunctionConfig<DialectName> }
}

/** Returns the table of these parts, with functions that can use these dialects. */
export function runtimeFieldsWith(dialectNames: readonly string[]): Fields {
  const dialect = optional(dialectRule(dialectNames))
  return { ...runtimeFields, functions: optional(mapOf({ ...functionFields, dialect })) }
}
