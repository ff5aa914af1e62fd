import { type Request, SignalboxError } from '@signalbox/core'
import type { Failure } from '../trace/span.ts'

/**
 * Returns a failure without anything that the user's code has written into its error, because that may be a secret. Only
 * an error about the contract keeps its message, which names fields and never shows a value of a secret one.
 */
export function failureOf(error: unknown): Failure {
  const { name } = Object(error) as { readonly name?: unknown }
  return {
    type: typeof name === 'string' && /^[\w.$-]{1,64}$/.test(name) ? name : '_OTHER',
    message: error instanceof SignalboxError && 'problems' in error ? error.message : undefined,
  }
}

/** Returns the failure of an invocation, unless a middleware has turned its error into an answer. */
export function handledFailure({ error, response }: Request): { readonly failure: Failure | undefined } {
  return { failure: error === undefined || response !== undefined ? undefined : failureOf(error) }
}
