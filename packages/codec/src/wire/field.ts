import type { Type } from 'io-ts'
import type { Codec } from '../io-ts/codec-of.ts'

/** A field of an object, as listed in the tables of the contract. */
export interface Field<A = unknown, Required extends boolean = boolean, O = A> {
  readonly codec: Codec
  /** Whether the field must be present. */
  readonly required: Required
  /** Whether null means that the field is absent. */
  readonly nullable: boolean
  /** Whether Signalbox added this field, which is not in the contract. */
  readonly extension?: true
  /** The type of the decoded field. This property exists only as a type. */
  readonly holds?: A
  /** The type of the encoded field. This property exists only as a type. */
  readonly encodes?: O
}

/** Fields by name. An undefined entry is ignored. */
export interface Fields {
  readonly [name: string]: Field | undefined
}

/** The type of a field’s value when the field is present. */
export type Holds<F> = F extends Field<infer A, boolean, unknown> ? A : never

/** The encoded type of a field’s value when the field is present. */
export type Encodes<F> = F extends Field<unknown, boolean, infer O> ? O : never

/**
 * The type of an object with these fields. Mapped types with an `as` clause would lose the fields' doc comments, so
 * `Pick` selects the fields by name.
 */
export type Described<F extends Fields> = Flat<
  { [K in keyof Pick<F, RequiredNames<F>>]: Holds<F[K]> } & {
    [K in keyof Pick<F, OptionalNames<F>>]?: Holds<F[K]> | undefined
  }
>

/** The type of an encoded object with these fields. */
export type Encoded<F extends Fields> = Flat<
  { [K in keyof Pick<F, RequiredNames<F>>]: Encodes<F[K]> } & {
    [K in keyof Pick<F, OptionalNames<F>>]?: Encodes<F[K]> | undefined
  }
>

/** The names of the required fields. */
export type RequiredNames<F> = {
  [K in keyof F]-?: F[K] extends Field<unknown, true, unknown> ? K : never
}[keyof F]

/** The names of the fields that may be absent. */
export type OptionalNames<F> = {
  [K in keyof F]-?: F[K] extends Field<unknown, true, unknown> ? never : F[K] extends Field ? K : never
}[keyof F]

type Flat<T> = { [K in keyof T]: T[K] }

/**
 * Returns a required field.
 * @example
 * ```ts
 * import { object, required, string } from '@signalbox/codec/wire'
 *
 * const Order = object('order', { id: required(string) })
 * Order.is({ id: 'a' }) // true
 * Order.is({}) // false
 * ```
 */
export function required<A, O = A>(codec: Type<A, O, unknown>): Field<A, true, O> {
  return { codec, required: true, nullable: false }
}

/**
 * Returns a field that may be absent or null.
 * @example
 * ```ts
 * import { object, optional, string } from '@signalbox/codec/wire'
 *
 * const Order = object('order', { note: optional(string) })
 * Order.is({}) // true
 * Order.is({ note: null }) // true
 * ```
 */
export function optional<A, O = A>(codec: Type<A, O, unknown>): Field<A | null, false, O | null> {
  return { codec, required: false, nullable: true }
}

/**
 * Returns a field that may be absent, but not null.
 * @example
 * ```ts
 * import { object, omittable, string } from '@signalbox/codec/wire'
 *
 * const Order = object('order', { note: omittable(string) })
 * Order.is({}) // true
 * Order.is({ note: null }) // false
 * ```
 */
export function omittable<A, O = A>(codec: Type<A, O, unknown>): Field<A, false, O> {
  return { codec, required: false, nullable: false }
}

/**
 * Marks a field that is not in the contract.
 * @example
 * ```ts
 * import { extension, object, optional, required, string } from '@signalbox/codec/wire'
 *
 * const Mail = object('mail', { subject: required(string), language: extension(optional(string)) })
 * Mail.is({ subject: 'Offer', language: 'en' }) // true
 * ```
 */
export function extension<F extends Field>(field: F): F & { readonly extension: true } {
  return { ...field, extension: true }
}
