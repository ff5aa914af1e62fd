interface Piece {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Does pieces of work in one transaction that are asked for in the same turn of the event loop, since each transaction
 * waits for the disk. A piece resolves when it is on the disk. One that throws changes nothing, and takes no other
 * with it; so a piece may be done twice, the first time without effect.
 *
 * @param write does work in a transaction
 */
export function sharedTransactions(write: <T>(work: () => T) => T): <T>(work: () => T) => Promise<T> {
  let pieces: Piece[] = []

  const alone = ({ work, resolve, reject }: Piece) => {
    try {
      resolve(write(work) as never)
    } catch (error) {
      reject(error)
    }
  }

  const together = () => {
    const all = pieces
    pieces = []
    let results: readonly unknown[] | undefined
    try {
      if (all.length > 1) results = write(() => all.map(({ work }) => work()))
    } catch {
      // Each finds out by itself.
    }
    if (results === undefined) return all.forEach(alone)
    for (const [at, { resolve }] of all.entries()) resolve(results[at] as never)
  }

  return work =>
    new Promise((resolve, reject) => {
      if (pieces.push({ work, resolve, reject }) === 1) setImmediate(together)
    })
}
