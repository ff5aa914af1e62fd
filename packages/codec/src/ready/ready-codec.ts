import type { Type } from 'io-ts'
import { type Codec, codecOf, failure, success } from '../io-ts/codec-of.ts'
import { explain, listProblems } from '../problems/list-problems.ts'
import type { Problem } from '../problems/problem.ts'
import type { Table } from '../structure/table.ts'
import { declareWritten, type Structure, writtenStructure } from '../structure/written.ts'

/**
 * Returns a codec whose guard was written at build. It only checks values: decoding and encoding return them unchanged.
 * Generated code calls this function. See docs/decisions/codecs-and-guards.md#guards-written-at-build.
 */
export function readyCodec<A>(
  name: string,
  guard: (value: unknown) => unknown,
  table: Table,
  root: number,
): Type<A> {
  const is = (value: unknown): value is A => !!guard(value)
  const codec = codecOf<A>({
    name,
    is,
    validate: (value, context) => (is(value) ? success(value) : failure({ value, context })),
  })
  declareWritten(codec, { table, root })
  return codec
}

/**
 * Returns the problems of a value that a codec refuses, or null when it accepts the value. The problems are those that
 * `problems` returns. Never throws.
 */
export function refusalsOfReady(codec: Codec, value: unknown): Problem[] | null {
  try {
    if (codec.is(value)) return null
  } catch {
    // The guard could not read the value.
  }
  return explain(writtenStructure(codec)!, value, false)
}

/** Returns the problems of a value that a structure refuses, or null when it accepts the value. Never throws. */
export function tableProblems(structure: Structure, value: unknown): Problem[] | null {
  const found = listProblems(structure, value, false)
  return found.length > 0 ? found : null
}
