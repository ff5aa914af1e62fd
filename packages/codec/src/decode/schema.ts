import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import type { Problem } from '../problems/problem.ts'
import { refusals } from './problems.ts'

/** A predicate whose `errors` are the problems of its latest call, or null if the value was valid. */
export type Schema<A> = ((u: unknown) => u is A) & { errors: Problem[] | null }

/** The schema type that `@middy/validator` declares, which differs from the schemas that it really accepts. */
interface Validator {
  readonly opts: object
  compile(...args: never): unknown
  validateSchema(...args: never): unknown
}

/**
 * Makes a schema for `@middy/validator` from a codec. The result is a predicate, but is also assignable to the type
 * that the validator declares for schemas. It never throws, and refuses a value that cannot be read.
 *
 * @example
 * middy().use(validator({ eventSchema: schema(Order) })).handler(answer)
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
