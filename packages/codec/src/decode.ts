import type { Either } from 'fp-ts/lib/Either.js'
import type { Type } from 'io-ts'
import { compile } from './guard/compile.ts'
import { transforms } from './io-ts/transforms.ts'
import { explain } from './problems/explain.ts'
import { formatProblems, type Problem } from './problems/problem.ts'

/** A codec refused a value. The message has one line for each problem. */
export class InvalidError extends Error {
  override readonly name = 'InvalidError'
  readonly code = 'INVALID'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(formatProblems(problems), options)
    this.problems = problems
  }
}

/**
 * Decodes a value, or lists its problems. The result is that of `codec.decode`, but the guard runs first for codecs that
 * only check: those that neither strip fields, nor read text, nor are custom. Never throws for any value.
 *
 * @example
 * const result = validate(Order, value)
 * if (result._tag === 'Left') console.log(formatProblems(result.left))
 */
export function validate<A>(codec: Type<A, unknown, unknown>, value: unknown): Either<readonly Problem[], A> {
  const changes = transforms(codec)
  try {
    if (!changes && compile(codec)(value)) return { _tag: 'Right', right: value }
    const decoded = codec.decode(value)
    if (decoded._tag === 'Right') return decoded
  } catch {
    // A value that cannot be read or nests too deeply has problems like any other value.
  }
  return { _tag: 'Left', left: explain(codec, value, true) }
}

/**
 * Decodes a value.
 *
 * @example
 * const order = decode(fromJson(Order), '{"id":"o1","lines":[]}')
 * @throws InvalidError with the problems
 */
export function decode<A>(codec: Type<A, unknown, unknown>, value: unknown): A {
  const result = validate(codec, value)
  if (result._tag === 'Left') throw new InvalidError(result.left)
  return result.right
}
