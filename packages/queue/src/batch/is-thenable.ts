/**
 * Returns whether `await` would wait for a value. Functions may be thenable, too. It may throw, because `then` may be a
 * getter.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}
