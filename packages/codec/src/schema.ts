import type { Type } from 'io-ts'
import { compile } from './compile.ts'
import type { Problem } from './problem.ts'
import { refusals } from './problems.ts'

/** A predicate that leaves the problems of its last call in `errors`, or null when there were none. */
export type Schema<A> = ((u: unknown) => u is A) & { errors: Problem[] | null }

/** What a schema may be taken for: the type that `@middy/validator` declares for its schemas, which is not theirs. */
interface Validator {
  readonly opts: object
  compile(...args: never): unknown
  validateSchema(...args: never): unknown
}

/**
 * A codec as a schema for `@middy/validator`: `validator({ eventSchema: schema(codec) })`. The validator declares
 * another type than it uses, so where that type is wanted the schema passes for it.
 *
 * The predicate never throws; a value that cannot be read is refused.
 */
export function schema<A, As extends Schema<A> | Validator = Schema<A>>(
  codec: Type<A, unknown, unknown>,
): As {
  const guard = compile(codec)
  const predicate = ((u: unknown): u is A => {
    predicate.errors = refusals(codec, guard, u)
    return predicate.errors === null
  }) as Schema<A>
  predicate.errors = null
  return predicate as never
}
