import type { StandardSchema } from './standard-schema.ts'

/**
 * Returns whether a value is a schema of another library. In a production bundle without such schemas, the bundler
 * plugin replaces calls of this function with `false`, so that the code for schemas is not in the bundle. See
 * docs/decisions/codecs-and-guards.md#schemas-of-any-library.
 */
export function isSchema(value: unknown): value is StandardSchema {
  return (value as StandardSchema | null | undefined)?.['~standard'] !== undefined
}

/**
 * Returns whether a result must be awaited because its schema is asynchronous. Codecs of io-ts are synchronous, so the
 * bundler plugin also replaces calls of this function.
 */
export function isLater<R>(result: R | Promise<R>): result is Promise<R> {
  return result instanceof Promise
}
