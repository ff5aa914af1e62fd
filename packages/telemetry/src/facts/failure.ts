import type { Request } from '@signalbox/core'
import type { Failure } from '../trace/span.ts'

/** Returns a failure. The text of an error is not in it, because it may hold a secret or a part of a body. */
export function failureOf(error: unknown): Failure {
  const { name } = Object(error) as { readonly name?: unknown }
  return { type: typeof name === 'string' && /^[\w.$-]{1,64}$/.test(name) ? name : '_OTHER' }
}

/** Returns the failure of an invocation, unless a middleware has turned its error into an answer. */
export function handledFailure({ error, response }: Request): { readonly failure: Failure | undefined } {
  return { failure: error === undefined || response !== undefined ? undefined : failureOf(error) }
}
