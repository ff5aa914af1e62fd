/**
 * The number of items that are processed at the same time. It is more than one because each item waits for the disk.
 */
const batchSize = 32

/**
 * Processes items in batches. Returns the results in the order of the items.
 * @param show is called with the number of finished items before each batch except the first
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
