import * as t from 'io-ts'

/** One row of a table of the contract. */
export interface Field<A = unknown, Required extends boolean = boolean> {
  readonly codec: t.Mixed
  readonly required: Required
  /** Whether null stands for absent, as it does for every optional field unless said otherwise. */
  readonly nullable: boolean
  readonly meaning: string
  /** The contract is silent about this; it is Signalbox's own choice. */
  readonly extension?: true
  /** Only a type: nothing is ever here. */
  readonly holds?: A
}

/** A table of the contract: its fields by name. */
export interface Fields {
  readonly [name: string]: Field
}

/** The type that a table describes. */
export type Described<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Holds<F[K]>
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Holds<F[K]> | undefined
}

type Holds<R> = R extends Field<infer A> ? A : never

/** A row for a field that has to be there. */
export function required<A>(codec: t.Type<A, unknown, unknown>, meaning: string): Field<A, true> {
  return { codec, required: true, nullable: false, meaning }
}

/** A row for a field that may be absent or null. */
export function optional<A>(codec: t.Type<A, unknown, unknown>, meaning: string): Field<A | null, false> {
  return { codec, required: false, nullable: true, meaning }
}

/** A row for a field that may be absent, but not null. */
export function omittable<A>(codec: t.Type<A, unknown, unknown>, meaning: string): Field<A, false> {
  return { codec, required: false, nullable: false, meaning }
}

/** Marks a row about which the contract is silent. */
export function extension<F extends Field>(field: F): F & { readonly extension: true } {
  return { ...field, extension: true }
}

/** The codec of an object with these fields; what else is in it is kept. */
export function objectOf<F extends Fields>(name: string, fields: F): t.Type<Described<F>, unknown, unknown> {
  const needed: t.Props = {}
  const allowed: t.Props = {}
  for (const [key, { codec, required: isRequired, nullable }] of Object.entries(fields)) {
    if (isRequired) needed[key] = codec
    else allowed[key] = nullable ? t.union([codec, t.null], `${codec.name} or null`) : codec
  }
  return t.intersection([t.type(needed, name), t.partial(allowed, name)], name) as never
}
