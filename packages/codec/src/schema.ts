import type { Type } from 'io-ts'
import { compile } from './compile.ts'
import type { Problem } from './problem.ts'
import { problems } from './problems.ts'

/** A predicate in the form that `@middy/validator` calls. */
export type Schema<A> = ((u: unknown) => u is A) & { errors: Problem[] | null }

/** A codec as a schema for `@middy/validator`: a predicate that leaves the problems of a failed call in `errors`. */
export function schema<A>(codec: Type<A, unknown, unknown>): Schema<A> {
  const guard = compile(codec)
  const predicate = ((u: unknown): u is A => {
    const accepted = guard(u)
    predicate.errors = accepted ? null : [...problems(codec, u)]
    return accepted
  }) as Schema<A>
  predicate.errors = null
  return predicate
}
