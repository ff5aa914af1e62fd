import type { Either } from 'fp-ts/lib/Either.js'
import type { Type } from 'io-ts'
import { formatProblems, type Problem } from './problem.ts'
import { problems } from './problems.ts'

/** A value that its codec does not accept. The message lists the problems, one a line. */
export class InvalidError extends Error {
  override readonly name = 'InvalidError'
  readonly code = 'INVALID'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(formatProblems(problems), options)
    this.problems = problems
  }
}

/** The decoded value, or its problems. Never throws. */
export function validate<A>(codec: Type<A, unknown, unknown>, value: unknown): Either<readonly Problem[], A> {
  try {
    const result = codec.decode(value)
    if (result._tag === 'Right') return result
  } catch {
    // A value that cannot be read has problems too.
  }
  return { _tag: 'Left', left: problems(codec, value) }
}

/**
 * The decoded value.
 * @throws InvalidError with the problems
 */
export function decode<A>(codec: Type<A, unknown, unknown>, value: unknown): A {
  const result = validate(codec, value)
  if (result._tag === 'Left') throw new InvalidError(result.left)
  return result.right
}
