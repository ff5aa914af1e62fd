import type { LimitsConfig } from '../config/limits.ts'
import type { SecretConfig } from '../config/secret.ts'

/** The clients that may use the platform, and the rights of each. See docs/decisions/access.md. */
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
   * The resources that each right of the identity covers, by the configuration key of the resources. In a name, `*`
   * matches any string.
   * @example
   * { queues: { send: ['orders'], receive: ['orders', 'invoices-*'] } }
   */
  readonly rights?: RightsConfig
  /** The limits of the identity, counted across all listeners, keys and addresses. */
  readonly limits?: LimitsConfig
}

/** The resources of each right: `{ COLLECTION: { RIGHT: [NAME, …] } }`. */
export interface RightsConfig {
  readonly [collection: string]: { readonly [right: string]: readonly string[] }
}

/**
 * An access key. AWS clients use it as their access key, mail clients as user name and password, and scripts as the
 * bearer token `ID.SECRET`.
 */
export interface KeyConfig {
  readonly id: string
  /** The secret, or the environment variable or file that contains it. At least 16 characters. */
  readonly secret: SecretConfig
}
