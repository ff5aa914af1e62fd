import type { Either } from 'fp-ts/lib/Either.js'
import type { Type } from 'io-ts'
import { compile } from './compile.ts'
import { explain } from './explain.ts'
import { formatProblems, type Problem } from './problem.ts'
import { transforms } from './transforms.ts'

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

/**
 * Decodes a value, or lists its problems. Answers as `codec.decode` does, but asks the guard first where that
 * makes no difference, which it does for all codecs that neither strip, nor read text, nor are custom.
 *
 * Never throws, whatever the value.
 */
export function validate<A>(codec: Type<A, unknown, unknown>, value: unknown): Either<readonly Problem[], A> {
  const changes = transforms(codec)
  try {
    if (!changes && compile(codec)(value)) return { _tag: 'Right', right: value }
    const decoded = codec.decode(value)
    if (decoded._tag === 'Right') return decoded
  } catch {
    // What cannot be read, or nests too deeply for io-ts, has problems like any other value.
  }
  return { _tag: 'Left', left: explain(codec, value, true) }
}

/**
 * Decodes a value.
 * @throws InvalidError with the problems
 */
export function decode<A>(codec: Type<A, unknown, unknown>, value: unknown): A {
  const result = validate(codec, value)
  if (result._tag === 'Left') throw new InvalidError(result.left)
  return result.right
}
