import type { Either } from 'fp-ts/lib/Either.js'
import type { Type, Validation } from 'io-ts'
import { compile } from './guard/compile.ts'
import { explain } from './problems/explain.ts'
import type { Problem } from './problems/problem.ts'
import { understanding } from './understanding/understand.ts'

/** The decoded value, or the problems. */
export type Result<A> = Either<readonly Problem[], A>

/**
 * Decodes a value with a codec.
 * @param wait turns the promise that an asynchronous codec returns into the result of this function
 */
export function validateCodec<A, R = never>(
  codec: Type<A, unknown, unknown>,
  value: unknown,
  wait?: (promised: Promise<Validation<A>>) => R,
): Result<A> | R {
  const changes = understanding.transforms(codec)
  try {
    if (!changes && compile(codec)(value)) return { _tag: 'Right', right: value }
    const decoded = codec.decode(value)
    if (wait && decoded instanceof Promise) return wait(decoded)
    if (decoded._tag === 'Right') return decoded
  } catch {
    // A value that cannot be read or nests too deeply has problems like any other value.
  }
  return { _tag: 'Left', left: explain(codec, value, true) }
}
