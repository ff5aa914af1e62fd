import type { LimitsConfig } from '../fields/limits.ts'
import type { SecretConfig } from '../fields/secret.ts'

/** The clients that can use the platform, and the rights of each client. See docs/decisions/listeners-and-limits.md#access. */
export interface AccessConfig {
  /** The identities by name. An identity has only the rights that it lists. */
  readonly identities: { readonly [name: string]: IdentityConfig }
}

/** A person or a program. */
export interface IdentityConfig {
  /**
   * Keys from the configuration. `signalbox access add` creates further keys, which are not stored in the
   * configuration.
   */
  readonly keys?: readonly KeyConfig[]
  /**
   * The rights of the identity. Each collection of resources, such as `queues`, lists the names of the resources that
   * each right covers. In a name, `*` matches any string.
   * @example
   * { queues: { send: ['orders'], receive: ['orders', 'invoices-*'] } }
   */
  readonly rights?: RightsConfig
  /** The limits of the identity, counted across all listeners, keys and addresses. */
  readonly limits?: LimitsConfig
}

/** The names of the resources that each right covers, as `{ COLLECTION: { RIGHT: [NAME, …] } }`. */
export interface RightsConfig {
  readonly [collection: string]: { readonly [right: string]: readonly string[] }
}

/**
 * An access key. AWS clients use it as their access key, mail clients as user name and password, and scripts as the
 * bearer token `ID.SECRET`.
 */
export interface KeyConfig {
  readonly id: string
  /** The secret, or the environment variable or file that contains it. A secret has at least 16 characters. */
  readonly secret: SecretConfig
}
