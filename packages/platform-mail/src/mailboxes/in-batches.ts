/**
 * The number of items that are processed at the same time. It is more than one because each item waits for the disk.
 */
const batchSize = 32

/**
 * Does the same work for each item, several at a time. Returns the results in the order of the items.
 * @param show gets the number of finished items while others are left
 */
export async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  show?: (done: number) => void,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += batchSize) {
    if (at > 0) show?.(at)
    for (const result of await Promise.all(items.slice(at, at + batchSize).map(work))) results.push(result)
  }
  return results
}
