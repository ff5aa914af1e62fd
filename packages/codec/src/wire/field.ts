import type { Type } from 'io-ts'
import type { Codec } from '../structure.ts'

/** A field of an object, as the tables of contracts list them. */
export interface Field<A = unknown, Required extends boolean = boolean> {
  readonly codec: Codec
  /** Whether it has to be there. */
  readonly required: Required
  /** Whether null stands for absent. */
  readonly nullable: boolean
  /** The contract is silent about this; it is Signalbox's own choice. */
  readonly extension?: true
  /** Only a type: nothing is ever here. */
  readonly holds?: A
}

/** Fields by name. One that is undefined is none. */
export interface Fields {
  readonly [name: string]: Field | undefined
}

/** What is in a field when it is there. */
export type Holds<F> = F extends Field<infer A> ? A : never

/** What an object with these fields holds. */
export type Described<F extends Fields> = Flat<
  { [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Holds<F[K]> } & {
    [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Holds<F[K]> | undefined
  }
>

type Flat<T> = { [K in keyof T]: T[K] }

/** A field that has to be there. */
export function required<A>(codec: Type<A, unknown, unknown>): Field<A, true> {
  return { codec, required: true, nullable: false }
}

/** A field that may be absent or null. */
export function optional<A>(codec: Type<A, unknown, unknown>): Field<A | null, false> {
  return { codec, required: false, nullable: true }
}

/** A field that may be absent, but not null. */
export function omittable<A>(codec: Type<A, unknown, unknown>): Field<A, false> {
  return { codec, required: false, nullable: false }
}

/** Marks a field about which the contract is silent. */
export function extension<F extends Field>(field: F): F & { readonly extension: true } {
  return { ...field, extension: true }
}
