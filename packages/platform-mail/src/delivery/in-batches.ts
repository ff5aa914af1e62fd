/** How many are worked on at a time, since each waits for the disk. */
const batchSize = 32

/** Does the same with each, some at a time, and answers what comes of it in order. */
export async function inBatches<T, R>(
  all: readonly T[],
  work: (each: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += batchSize)
    for (const result of await Promise.all(all.slice(at, at + batchSize).map(work))) results.push(result)
  return results
}
