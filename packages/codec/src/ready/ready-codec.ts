import type { Type } from 'io-ts'
import { codecOf, failure, success } from '../io-ts/codec-of.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import type { Table } from './table.ts'

/** The part of a table that belongs to a codec. */
export interface Ready {
  readonly table: Table
  /** The position of the codec's node. */
  readonly root: number
}

const known = new WeakMap<Codec, Ready>()

/** A guard of a codec that was compiled before. Reads a value as `codec.is` does. */
export type ReadyGuard = (value: unknown) => unknown

/**
 * Returns a codec with a guard that was compiled before, and a table that names problems. It only checks: what its
 * guard accepts is decoded, and the encoded value is the value. Code that a build wrote calls this. See
 * docs/decisions/guards-when-packages-are-built.md.
 */
export function readyCodec<A>(name: string, guard: ReadyGuard, table: Table, root: number): Type<A> {
  const is = (value: unknown): value is A => !!guard(value)
  const codec = codecOf<A>({
    name,
    is,
    validate: (value, context) => (is(value) ? success(value) : failure({ value, context })),
  })
  known.set(codec, { table, root })
  return codec
}

/** Returns the table of a codec that is ready, or undefined for every other codec. */
export function readyOf(codec: Codec): Ready | undefined {
  return known.get(codec)
}
