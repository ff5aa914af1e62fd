/** Bytes that the bodies and answers of one listener may take: those that are on their way in, at work, or unread. */
const budget = 256 * 1024 * 1024

/** Milliseconds after which what is still on its way has to make room for others. */
const evictableAfter = 5000

/** Counts the bytes that many clients keep in memory at a time, and says who has to make room when it is too many. */
export interface MemoryBudget {
  /**
   * Sets how many bytes a holder keeps. When there are too many, those who have been on their way for longest are given
   * up, provided they have had their time. False when that is not enough: then nothing has changed for the holder.
   * @param giveUp frees what the holder keeps; without it the holder is never given up
   */
  readonly reserve: (holder: object, bytes: number, giveUp?: () => void) => boolean
  readonly release: (holder: object) => void
}

interface Kept {
  readonly bytes: number
  readonly giveUp: (() => void) | undefined
  /** When the holder could first be given up. */
  readonly since: number
}

/** A budget of `limit` bytes. */
export function memoryBudget(now: () => number, limit: number = budget): MemoryBudget {
  // Those who could be given up for longest stand before the others.
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
