import { formatProblems, type Problem } from '../problems/problem.ts'
import { isLater } from '../schemas/is-schema.ts'
import type { CodecOrSchema } from '../schemas/standard-schema.ts'
import { toCodec } from '../schemas/to-codec.ts'
import { type Result, validateCodec } from './validate-codec.ts'

/** Thrown when a codec refuses a value. The message has one line for each problem. */
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
 * Decodes a value, or lists its problems. It accepts and decodes the same values as `codec.decode`. The faster guard
 * runs first, unless the codec is custom or transforms values. Never throws for any value.
 *
 * @example
 * const result = validate(Order, value)
 * if (result._tag === 'Left') console.log(formatProblems(result.left))
 * @throws TypeError for an asynchronous schema of another library. Use `validateAsync` for such a schema.
 */
export function validate<A>(schema: CodecOrSchema<A>, value: unknown): Result<A> {
  const result = validateCodec(toCodec(schema), value)
  if (isLater<unknown>(result)) throw new TypeError('The schema is asynchronous: use validateAsync')
  return result
}

/**
 * Like `validate`, but also accepts asynchronous schemas. If the schema returns a promise, so does this function. If
 * the promise of the schema rejects, the returned promise rejects with the same error.
 *
 * @example
 * const result = await validateAsync(z.object({ sku: z.string().refine(isInStock) }), value)
 */
export function validateAsync<A>(schema: CodecOrSchema<A>, value: unknown): Result<A> | Promise<Result<A>> {
  const codec = toCodec(schema)
  const result = validateCodec(codec, value)
  if (!isLater<unknown>(result)) return result
  return result.then(validation => {
    // The schema may query a database, so it runs only once. Its stored result is also used to explain the problems.
    const settled = { ...codec, decode: () => validation, validate: () => validation }
    return validateCodec(settled as never, value) as Result<A>
  })
}

/**
 * Decodes a value.
 *
 * @example
 * const order = decode(fromJson(Order), '{"id":"o1","lines":[]}')
 * @throws InvalidError with the problems, and TypeError for an asynchronous schema
 */
export function decode<A>(codec: CodecOrSchema<A>, value: unknown): A {
  const result = validate(codec, value)
  if (result._tag === 'Left') throw new InvalidError(result.left)
  return result.right
}
