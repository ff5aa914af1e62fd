/**
 * Returns whether `await` would wait for a value. Functions can be thenable, too. The check can throw, because `then`
 * can be a getter.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}
