/**
 * Returns whether `await` would wait for a value: for a promise, and for any other object or function with a method
 * `then`. The check can throw, because `then` can be a getter.
 * @example
 * ```ts
 * import { isThenable } from '@signalbox/core'
 *
 * isThenable(Promise.resolve()) // true
 * isThenable({ status: 200 }) // false
 * ```
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
