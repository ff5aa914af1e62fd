import type { Type } from 'io-ts'
import { compile } from './compile.ts'
import { validate } from './decode.ts'
import { explain } from './explain.ts'
import type { Problem } from './problem.ts'
import type { Codec } from './structure.ts'
import { transforms } from './transforms.ts'

/**
 * Lists what is wrong with a value, in the order of the value: at most a hundred problems, and then one that
 * counts the rest. Empty when the guard accepts the value; for codecs that transform, when it can be decoded.
 * Of a union that is not satisfied it tells about the alternative that comes closest.
 *
 * Never throws, whatever the value: what cannot be read, or nests too deeply, is a problem too.
 */
export function problems<A>(codec: Type<A, unknown, unknown>, value: unknown): readonly Problem[] {
  if (!transforms(codec)) return refusals(codec, compile(codec), value) ?? []
  const decoded = validate(codec, value)
  return decoded._tag === 'Left' ? decoded.left : []
}

/** Why the guard of a codec refuses a value, or null when it accepts it. Never throws. */
export function refusals(codec: Codec, guard: (u: unknown) => boolean, value: unknown): Problem[] | null {
  try {
    if (guard(value)) return null
  } catch {
    // A value that cannot be read is refused.
  }
  return explain(codec, value, false)
}
