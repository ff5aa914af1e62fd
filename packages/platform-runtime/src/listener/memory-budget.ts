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
  readonly bytes: number
  readonly giveUp: (() => void) | undefined
  /** The time since which the holder can be evicted. */
  readonly since: number
}

/** Creates a memory budget of `limit` bytes. */
export function memoryBudget(now: () => number, limit: number = budget): MemoryBudget {
  // The oldest holders come first.
  const all = new Map<object, Kept>()
  let total = 0

  const release = (holder: object): void => {
    const own = all.get(holder)
    if (own === undefined) return
    total -= own.bytes
    all.delete(holder)
  }

  const makeRoom = (bytes: number, holder: object): boolean => {
    const latest = now() - evictableAfter
    for (const [other, { giveUp, since }] of all) {
      if (total + bytes <= limit) break
      if (other === holder || giveUp === undefined) continue
      if (since > latest) break
      release(other)
      giveUp()
    }
    return total + bytes <= limit
  }

  return {
    reserve(holder, bytes, giveUp) {
      const before = all.get(holder)
      const more = bytes - (before?.bytes ?? 0)
      if (more > 0 && total + more > limit && !makeRoom(more, holder)) return false
      total += more
      const goesOn = before?.giveUp !== undefined && giveUp !== undefined
      if (!goesOn) all.delete(holder)
      all.set(holder, { bytes, giveUp, since: goesOn ? before.since : now() })
      return true
    },
    release,
  }
}
