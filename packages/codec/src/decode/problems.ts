import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { explain } from '../problems/list-problems.ts'
import type { Problem } from '../problems/problem.ts'
import { isLater } from '../schemas/is-schema.ts'
import { structureOf, transforms } from '../structure/structure.ts'
import { validateCodec } from './validate-codec.ts'

/**
 * Lists the problems of a value in the order of the value: at most a hundred, followed by an entry with the number of
 * further problems. The list is empty when the guard accepts the value or, for codecs that transform values, when the
 * value can be decoded. For a union, it lists the problems of the closest alternative.
 *
 * Never throws for any value. It lists a problem for a value that cannot be read or nests too deeply.
 *
 * @example
 * problems(t.type({ count: t.Int }), { count: 1.5 }) // [{ pointer: '/count', expected: 'Int', actual: 'number 1.5' }]
 */
export function problems<A>(codec: Type<A, unknown, unknown>, value: unknown): readonly Problem[] {
  if (!transforms(codec)) return refusals(codec, compile(codec), value) ?? []
  const decoded = validateCodec(codec, value)
  if (isLater<unknown>(decoded)) return explain(structureOf(codec), value, true)
  return decoded._tag === 'Left' ? decoded.left : []
}

/** Returns the problems of a value that the guard refuses, or null when it accepts the value. Never throws. */
export function refusals(codec: Codec, guard: (u: unknown) => boolean, value: unknown): Problem[] | null {
  try {
    if (guard(value)) return null
  } catch {
    // The guard could not read the value.
  }
  return explain(structureOf(codec), value, false)
}
