import type * as t from 'io-ts'
import {
  type ConfigOf,
  listOf,
  mapOf,
  object,
  objectOf,
  optional,
  type Rule,
  required,
  textLike,
} from '../fields/field.ts'
import { type LimitsConfig, limitsFields } from '../fields/limits.ts'
import { secretText } from '../fields/secret.ts'

/** The names of the resources that each right covers, as `{ COLLECTION: { RIGHT: [NAME, …] } }`. */
export interface RightsConfig {
  readonly [collection: string]: { readonly [right: string]: readonly string[] }
}

const keyFields = {
  /** The id of the key, which clients send. */
  id: required(
    textLike('a text of 1 to 128 characters without spaces, /, : and commas', /^[^\s/:,\p{Cc}]{1,128}$/u),
  ),
  /** The secret, or the environment variable or file that contains it. A secret has at least 16 characters. */
  secret: required(secretText),
}

/**
 * An access key. AWS clients use it as their access key, mail clients as user name and password, and scripts as the
 * bearer token `ID.SECRET`.
 */
export interface KeyConfig extends ConfigOf<typeof keyFields> {}

const identityFields = {
  /**
   * Keys from the configuration. `signalbox access add` creates further keys, which are not stored in the
   * configuration.
   */
  keys: optional(listOf<KeyConfig>(keyFields, 'a list of keys')),
  /**
   * The rights of the identity. Each collection of resources, such as `queues`, lists the names of the resources that
   * each right covers. In a name, `*` matches any string.
   * @example
   * { queues: { send: ['orders'], receive: ['orders', 'invoices-*'] } }
   */
  rights: optional(object as t.Mixed as Rule<RightsConfig>),
  /** The limits of the identity, counted across all listeners, keys and addresses. */
  limits: optional(objectOf<LimitsConfig>(limitsFields)),
}

/** A person or a program. */
export interface IdentityConfig extends ConfigOf<typeof identityFields> {}

export const accessFields = {
  /** The identities by name. An identity has only the rights that it lists. */
  identities: required(mapOf<IdentityConfig>(identityFields)),
}

/** The clients that can use the platform, and the rights of each client. See docs/decisions/listeners-and-limits.md#access. */
export interface AccessConfig extends ConfigOf<typeof accessFields> {}
