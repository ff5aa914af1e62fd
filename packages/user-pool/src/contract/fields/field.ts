import type { Field, Fields, Filled, Shape } from './shape.ts'

export type { Field, Fields }

/** Returns a field that the contract requires. */
export function required<A>(shape: Shape<A>): Field<A, true, true> {
  return { shape, required: true, extension: false }
}

/**
 * Returns a field that may be absent or null. If the shape is a map that the normalizer adds, handlers always find it.
 */
export function optional<A>(shape: Filled<A>): Field<A, false, true>
export function optional<A>(shape: Shape<A>): Field<A, false, false>
export function optional<A>(shape: Shape<A>): Field<A, false, boolean> {
  return { shape, required: false, extension: false }
}

/** Marks a field that the contract does not state. */
export function extension<F extends Field>(field: F): F {
  return { ...field, extension: true }
}

type Value<X> = X extends Field<infer A> ? A : never

/**
 * The type of these fields as handlers see them, after the normalizer has run. The names are picked first, because a
 * mapped type with an `as` clause would lose the doc comments of the tables.
 */
export type Seen<F extends Fields> = Flat<
  Missing<F> & { readonly [K in keyof Pick<F, AlwaysNames<F>>]: Value<F[K]> } & {
    readonly [K in keyof Pick<F, SometimesNames<F>>]?: Value<F[K]> | null | undefined
  }
>

/** The type of these fields on the wire. */
export type OnWire<F extends Fields> = Flat<
  Missing<F> & { readonly [K in keyof Pick<F, RequiredNames<F>>]: Value<F[K]> } & {
    readonly [K in keyof Pick<F, OptionalNames<F>>]?: Value<F[K]> | null | undefined
  }
>

type AlwaysNames<F> = {
  [K in keyof F]-?: F[K] extends Field<unknown, boolean, true> ? K : never
}[keyof F]
type SometimesNames<F> = Exclude<PresentNames<F>, AlwaysNames<F>>
type RequiredNames<F> = { [K in keyof F]-?: F[K] extends Field<unknown, true> ? K : never }[keyof F]
type OptionalNames<F> = Exclude<PresentNames<F>, RequiredNames<F>>
type PresentNames<F> = { [K in keyof F]-?: F[K] extends Field ? K : never }[keyof F]

// Forbids the fields of a trigger that this source of the trigger lacks.
type Missing<F extends Fields> = {
  readonly [K in keyof Pick<F, Exclude<keyof F, PresentNames<F>>>]?: undefined
}
// Resolves the type to plain properties, for editors and error messages.
type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never

/** Returns the shape of an object with these fields. Unknown fields are kept. */
export function object<F extends Fields>(name: string, fields: F): Shape<Seen<F>> {
  return { kind: 'object', name, fields }
}
