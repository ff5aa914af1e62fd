import type { Clock } from '@signalbox/core'

/**
 * The maximum number of bytes of memory for the bodies and responses of one listener, from their arrival until they
 * are read.
 */
const budget = 256 * 1024 * 1024

/** Milliseconds after which a holder may lose its memory to others. */
const evictableAfter = 5000

/** Counts the bytes that clients hold in memory, and evicts holders when there are too many bytes. */
export interface MemoryBudget {
  /**
   * Sets the number of bytes of a holder. When all holders together exceed the limit, the oldest holders are evicted,
   * if they are old enough. Returns false, and changes nothing for this holder, if that does not free enough memory.
   * @param giveUp frees the bytes of the holder when it is evicted. A holder without this function is never evicted.
   */
  readonly reserve: (holder: object, bytes: number, giveUp?: () => void) => boolean
  readonly release: (holder: object) => void
}

interface Kept {
  bytes: number
  giveUp: (() => void) | undefined
  /** The time since which the holder can be evicted. */
  readonly since: number
}

/** Creates a memory budget of `limit` bytes. */
export function memoryBudget(clock: Pick<Clock, 'now'>, limit: number = budget): MemoryBudget {
  const byHolder = new WeakMap<object, Kept>()
  // The oldest entries come first. An entry does not contain its holder, so that it keeps nothing alive.
  const all = new Set<Kept>()
  let total = 0

  const remove = (kept: Kept): void => {
    total -= kept.bytes
    kept.bytes = 0
    kept.giveUp = undefined
    all.delete(kept)
  }

  const makeRoom = (bytes: number, own: Kept | undefined): boolean => {
    const latest = clock.now() - evictableAfter
    for (const other of all) {
      const { giveUp, since } = other
      if (total + bytes <= limit) break
      if (other === own || giveUp === undefined) continue
      if (since > latest) break
      remove(other)
      giveUp()
    }
    return total + bytes <= limit
  }

  const add = (holder: object): Kept => {
    const kept = { bytes: 0, giveUp: undefined, since: clock.now() }
    all.add(kept)
    byHolder.set(holder, kept)
    return kept
  }

  return {
    reserve(holder, bytes, giveUp) {
      const before = byHolder.get(holder)
      const more = bytes - (before?.bytes ?? 0)
      if (more > 0 && total + more > limit && !makeRoom(more, before)) return false
      const goesOn = before?.giveUp !== undefined && giveUp !== undefined
      if (before !== undefined && !goesOn) remove(before)
      const own = goesOn ? before : add(holder)
      total += bytes - own.bytes
      own.bytes = bytes
      own.giveUp = giveUp
      return true
    },
    release(holder) {
      const own = byHolder.get(holder)
      if (own !== undefined) remove(own)
      byHolder.delete(holder)
    },
  }
}
