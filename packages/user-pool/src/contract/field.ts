import { type ObjectCodec, object as wireObject } from '@signalbox/codec/wire'
import type { Filled, Shape } from './shape.ts'

/**
 * A field of an event or a response. `Always` says whether handlers always find it: it is required, or the
 * normalizer fills it in.
 */
export interface Field<A = unknown, Required extends boolean = boolean, Always extends boolean = boolean> {
  readonly shape: Shape<A>
  /** Whether the wire must carry it. For an optional field null and absent are the same thing. */
  readonly required: Required
  /** Only a type: nothing is ever here. */
  readonly always?: Always
  /** The contract is silent about this field; it is Signalbox's own choice. */
  readonly extension: boolean
}

/** Fields by name, as the tables write them. */
export type Fields = { readonly [name: string]: Field | undefined }

/** A field that the contract requires. */
export function required<A>(shape: Shape<A>): Field<A, true, true> {
  return { shape, required: true, extension: false }
}

/** A field that may be absent or null. Maps are there for handlers all the same. */
export function optional<A>(shape: Filled<A>): Field<A, false, true>
export function optional<A>(shape: Shape<A>): Field<A, false, false>
export function optional<A>(shape: Shape<A>): Field<A, false, boolean> {
  return { shape, required: false, extension: false }
}

/** Marks a field about which the contract is silent. */
export function extension<F extends Field>(field: F): F {
  return { ...field, extension: true }
}

type Value<X> = X extends Field<infer A> ? A : never

/** What handlers see of these fields, after the normalizer. */
export type Seen<F extends Fields> = Flat<
  Gone<F> & {
    readonly [K in keyof F as F[K] extends Field<unknown, boolean, true> ? K : never]: Value<F[K]>
  } & {
    readonly [K in keyof F as F[K] extends Field<unknown, boolean, true>
      ? never
      : F[K] extends Field
        ? K
        : never]?: Value<F[K]> | null | undefined
  }
>

/** What the wire may carry of these fields. */
export type OnWire<F extends Fields> = Flat<
  Gone<F> & { readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Value<F[K]> } & {
    readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : F[K] extends Field ? K : never]?:
      | Value<F[K]>
      | null
      | undefined
  }
>

// A field that one trigger source doesn't have, though its trigger does.
type Gone<F extends Fields> = { readonly [K in keyof F as F[K] extends undefined ? K : never]?: undefined }
// Shown to people, so spelled out.
type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never

/** A JSON object with these fields; others are kept. */
export function object<F extends Fields>(name: string, fields: F): Shape<Seen<F>> {
  return { kind: 'object', codec: codecOf(name, fields), filled: false, fields }
}

/** The codec of an object with these fields. Other fields are let through. */
export function codecOf<F extends Fields>(name: string, fields: F): ObjectCodec<Seen<F>> {
  const rows = Object.entries(fields).map(([key, field]) => [
    key,
    field && { codec: field.shape.codec, required: field.required, nullable: true },
  ])
  return wireObject<Seen<F>>(name, Object.fromEntries(rows))
}
