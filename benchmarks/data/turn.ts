/**
 * Returns a function that returns the values in turn, endlessly. If a benchmark always used the same object, the
 * compiler could move the work out of the loop.
 */
export function inTurn<A>(values: readonly A[]): () => A {
  const mask = values.length - 1
  if ((values.length & mask) !== 0) throw new Error('the number of values has to be a power of two')
  let next = 0
  return () => values[next++ & mask]!
}

/** Stores results, so that the compiler cannot remove a call with an unused result. */
export const sink: { value: unknown } = { value: undefined }
