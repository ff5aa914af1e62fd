import type { LimitsConfig } from '../config/limits.ts'
import type { SecretConfig } from '../config/secret.ts'

/** The clients that may use the platform, and the rights of each. See docs/decisions/access.md. */
export interface AccessConfig {
  /** The identities by name. An identity has no right that it does not name. */
  readonly identities: { readonly [name: string]: IdentityConfig }
}

/** A person or a program. */
export interface IdentityConfig {
  /** Keys from the configuration. `signalbox access add` makes others, which the configuration does not hold. */
  readonly keys?: readonly KeyConfig[]
  /**
   * The resources over which the identity has each right, by the configuration key of the resources. `*` in a name
   * stands for any text.
   * @example
   * { queues: { send: ['orders'], receive: ['orders', 'invoices-*'] } }
   */
  readonly rights?: RightsConfig
  /** The limits of the identity at all listeners together, with all its keys and addresses. */
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
  /** The secret, or the environment variable or the file that has it. At least 16 characters. */
  readonly secret: SecretConfig
}
