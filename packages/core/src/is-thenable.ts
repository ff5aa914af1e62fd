/**
 * Returns whether `await` would wait for a value: for a promise, and for any other object or function with a method
 * `then`. The check can throw, because `then` can be a getter.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
