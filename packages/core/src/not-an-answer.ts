import type { Problem } from '@signalbox/codec'
import { InvalidResponseError } from './errors.ts'

/**
 * Makes JSON.stringify fail for a value that a function returns by mistake. JSON omits the functions of such a value,
 * and a queue understands the remaining `{}` as success and deletes every message of the batch. See
 * docs/decisions/instances-and-invocations.md#returned-objects.
 *
 * @param what the name of the value, such as `a plugin`
 * @param value gets a `toJSON` that is not enumerable, so that copies made with the spread syntax do not have it
 * @example
 * ```ts
 * import { notAnAnswer } from '@signalbox/core'
 *
 * const schedule = notAnAnswer('a schedule', { next: () => new Date() })
 * // Throws InvalidResponseError when the answer is sent.
 * export const handler = async () => schedule
 * ```
 */
export function notAnAnswer<T extends object>(what: string, value: T): T {
  return Object.defineProperty(value, 'toJSON', {
    value: refusalAsAnswer(what),
    writable: true,
  })
}

/**
 * Returns a `toJSON` that throws, for values that are created so often that defining a property on each would be slow.
 * @example
 * ```ts
 * import { problemOfAnswer, refusalAsAnswer } from '@signalbox/core'
 *
 * class Row {}
 * Object.assign(Row.prototype, { toJSON: refusalAsAnswer('a row', 'the fields of a row') })
 * problemOfAnswer(new Row())?.expected // 'the fields of a row'
 * ```
 */
export function refusalAsAnswer(
  what: string,
  expected = (process.env.NODE_ENV !== 'production' && usual[what]) || 'an answer',
): () => never {
  const problem = { pointer: '', expected, actual: what }
  const refuse = (): never => {
    throw new InvalidResponseError('the function', [problem])
  }
  refuse.problem = problem
  return refuse
}

/**
 * Returns the problem with a value that `notAnAnswer` or `refusalAsAnswer` marked, or undefined for a value without a
 * mark.
 * @example
 * ```ts
 * import { notAnAnswer, problemOfAnswer } from '@signalbox/core'
 *
 * problemOfAnswer(notAnAnswer('a schedule', {})) // { pointer: '', expected: 'an answer', actual: 'a schedule' }
 * problemOfAnswer({}) // undefined
 * ```
 */
export function problemOfAnswer(value: unknown): Problem | undefined {
  const { toJSON } = Object(value) as { readonly toJSON?: { readonly problem?: Problem } }
  return typeof toJSON === 'function' ? (toJSON as { readonly problem?: Problem }).problem : undefined
}

/** For each kind of value, what a function should return instead. */
const usual: { readonly [what: string]: string } = {
  'a handler': 'what the handler returns for an event and its context',
  'a plugin': 'what the handler of signalbox(plugin) returns',
}
