import type { Problem } from '@signalbox/codec'
import { InvalidResponseError } from './errors.ts'

/**
 * Makes JSON.stringify fail for a value that a function returned by mistake. Such a value is full of functions, which
 * JSON leaves out, and a queue takes the `{}` that is left for success: it deletes every message of the batch.
 *
 * @param what names the value: `a plugin`
 * @param value gets a `toJSON` that is not enumerable, so that copies made by spreading do not have it
 */
export function notAnAnswer<T extends object>(what: string, value: T): T {
  return Object.defineProperty(value, 'toJSON', {
    value: refusalAsAnswer(what),
    writable: true,
  })
}

/** The `toJSON` of a value that is not an answer, for values that are made too often to define a property of each. */
export function refusalAsAnswer(what: string, expected = usual[what] ?? 'an answer'): () => never {
  const problem = { pointer: '', expected, actual: what }
  const refuse = (): never => {
    throw new InvalidResponseError('the function', [problem])
  }
  return Object.assign(refuse, { problem })
}

/** Why a value is not an answer; undefined for a value that was not marked. */
export function problemOfAnswer(value: unknown): Problem | undefined {
  const { toJSON } = Object(value) as { readonly toJSON?: { readonly problem?: Problem } }
  return typeof toJSON === 'function' ? (toJSON as { readonly problem?: Problem }).problem : undefined
}

/** What to return instead of values that every family has. */
const usual: { readonly [what: string]: string } = {
  'a handler': 'what the handler returns for an event and its context',
  'a plugin': 'what the handler of signalbox(plugin) returns',
}
