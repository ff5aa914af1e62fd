import type { Either } from 'fp-ts/lib/Either.js'
import type { Type, Validation } from 'io-ts'
import { compile } from '../guard/compile.ts'
import { explain } from '../problems/list-problems.ts'
import type { Problem } from '../problems/problem.ts'
import { isLater } from '../schemas/is-schema.ts'
import { structureOf, transforms } from '../structure/structure.ts'

/** The decoded value if the value is valid, otherwise the problems. */
export type Result<A> = Either<readonly Problem[], A>

/** Decodes a value with a codec. Only the codec of an asynchronous schema returns a promise of the result. */
export function validateCodec<A>(
  codec: Type<A, unknown, unknown>,
  value: unknown,
): Result<A> | Promise<Validation<A>> {
  const changes = transforms(codec)
  try {
    if (!changes && compile(codec)(value)) return { _tag: 'Right', right: value }
    const decoded = codec.decode(value)
    if (isLater(decoded) || decoded._tag === 'Right') return decoded
  } catch {
    // A value that cannot be read or nests too deeply has problems like any other value.
  }
  return { _tag: 'Left', left: explain(structureOf(codec), value, true) }
}
