import {
  type ConfigOf,
  defaultHost,
  hostNames,
  listenerLimits,
  nonEmptyText,
  objectOf,
  optional,
  port,
  required,
  secretText,
  textLike,
  tlsFiles,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'

const adminKeyFields = {
  /** The id of the key, which requests name. */
  accessKeyId: required(textLike('letters and digits, 16 to 128', /^\w{16,128}$/)),
  /** The secret key, or the environment variable or file that contains it. */
  secretAccessKey: required(secretText),
}

/** An access key for AWS clients. */
export interface AdminKeyConfig extends ConfigOf<typeof adminKeyFields> {}

export const listenerFields = {
  /** The port to listen on. Default 9331. With 0, the system chooses a free port. */
  port: optional(port, 9331),
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host: optional(nonEmptyText, defaultHost),
  /**
   * Whether everyone who reaches the listener may use the operations of administrators without a key. Default false.
   * Not needed with `access` or `admin`.
   */
  open: optional(t.boolean, false),
  /** Further host names that the listener accepts in the Host header of requests. */
  names: optional(hostNames, []),
  /** The limits for each client address. Default: no limits. */
  limits: optional(listenerLimits),
  /** The files of a TLS certificate and its key (PEM). With them, clients connect by https. */
  tls: optional(tlsFiles),
  /**
   * The access key that signs administrators' requests. Without `admin`, `access` and `open`, administrators need no key,
   * but their requests must come from this machine, and not through a proxy. `signalbox start` refuses that.
   */
  admin: optional(objectOf<AdminKeyConfig>(adminKeyFields)),
  /**
   * The hosts where identity providers of pools that the API creates may be although they are on this machine or in a
   * private network, such as `login.internal` or `127.0.0.1:8080`. All other providers need public addresses. An
   * `issuer` in the configuration is allowed by itself.
   */
  privateProviderHosts: optional(
    t.readonlyArray(
      textLike(
        'a host in lower case, with or without a port, such as login.internal or 127.0.0.1:8080',
        /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::\d{1,5})?$/,
      ),
      'a list of hosts',
    ),
    [],
  ),
  /**
   * The issuer URL in tokens, to which the pool's id is appended. Default: the listener's URL. Discovery documents name
   * addresses below it if its host is this machine, the `host`, or one of `names`, and otherwise addresses of the
   * listener.
   */
  issuer: optional(textLike('an http or https URL without a / at its end', /^https?:\/\/[^\s?#]+[^\s?#/]$/)),
}

/** The options of the listener that clients of the user pools connect to. */
export interface UserPoolListenerConfig extends ConfigOf<typeof listenerFields> {}
