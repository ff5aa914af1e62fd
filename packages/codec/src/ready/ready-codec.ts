import type { Type } from 'io-ts'
import { codecOf, failure, success } from '../io-ts/codec-of.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import type { Table } from './table.ts'

/** A table that describes a codec. */
export interface Ready {
  readonly table: Table
  /** The position of the table node that describes the whole codec. */
  readonly root: number
}

const known = new WeakMap<Codec, Ready>()

/** A precompiled guard of a codec. It reads a value in the same way as `is` of the source codec. */
export type ReadyGuard = (value: unknown) => unknown

/**
 * Returns a codec with a precompiled guard and a table for finding problems. The codec only checks values. Decoding and
 * encoding return them unchanged. Generated code calls this function. See
 * docs/decisions/codecs-and-guards.md#guards-written-at-build.
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

/** Returns the table of a precompiled codec, or undefined for any other codec. */
export function readyOf(codec: Codec): Ready | undefined {
  return known.get(codec)
}
