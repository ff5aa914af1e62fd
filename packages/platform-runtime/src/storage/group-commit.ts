import { type Need, sharedNeed } from './free-space.ts'
import type { Write } from './transactions.ts'

interface Piece {
  readonly work: () => unknown
  readonly need: Need
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * The approximate size in bytes above which work gets a new transaction, because a transaction blocks the event loop.
 */
const sizeLimit = 1024 * 1024

/**
 * Groups commits. Work that arrives in the same turn of the event loop shares a transaction, because each transaction
 * costs a write to the log. A piece of work resolves when it is on the disk. A piece that throws changes nothing and
 * does not fail the other pieces. Therefore a piece may run twice, the first time without effect. Large pieces get
 * separate transactions.
 * @param write runs work in a transaction
 * @param onDisk resolves when all transactions so far are on the disk
 */
export function groupCommit(
  write: Write,
  onDisk: () => Promise<void>,
): <T>(work: () => T, need?: Need) => Promise<T> {
  let pieces: Piece[] = []

  const alone = ({ work, need, resolve, reject }: Piece) => {
    try {
      resolve(write(work, need) as never)
    } catch (error) {
      reject(error)
    }
  }

  const together = () => {
    let size = 0
    const tooMany = pieces.findIndex(({ need }, at) => {
      size += need === 'essential' ? 0 : (need.bytes ?? 0)
      return size > sizeLimit && at > 0
    })
    const all = tooMany < 0 ? pieces : pieces.slice(0, tooMany)
    pieces = pieces.slice(all.length)
    if (pieces.length > 0) setImmediate(together)
    let results: readonly unknown[] | undefined
    try {
      if (all.length > 1)
        results = write(() => all.map(({ work }) => work()), sharedNeed(all.map(({ need }) => need)))
    } catch {
      // Each piece of work then runs again in its own transaction.
    }
    if (results === undefined) return all.forEach(alone)
    for (const [at, { resolve }] of all.entries()) resolve(results[at] as never)
  }

  return async <T>(work: () => T, need: Need = {}): Promise<T> => {
    const result = await new Promise<T>((resolve, reject) => {
      if (pieces.push({ work, need, resolve, reject }) === 1) setImmediate(together)
    })
    await onDisk()
    return result
  }
}
