/** A line between the parts of a multipart, or after the last part (RFC 2046, 5.1.1). */
export interface Delimiter {
  /** The position of this line. */
  readonly start: number
  /** The position of the next line. */
  readonly end: number
  /** The index of the multipart among the open multiparts. The outermost multipart has the index 0. */
  readonly level: number
  readonly isLast: boolean
}

/** The open multiparts at a position in a mail. */
export interface OpenMultiparts {
  readonly level: () => number
  /** Opens a multipart. Returns false if an open multipart has the same boundary. */
  readonly open: (boundary: string) => boolean
  /** Closes multiparts until only `level` are open. */
  readonly close: (level: number) => void
  /** Returns the delimiter on the line that starts at `start`. Returns undefined if the line is not a delimiter. */
  readonly at: (raw: Buffer, start: number) => Delimiter | undefined
  /** Finds the next delimiter at or after `from`, which must be the start of a line. */
  readonly next: (raw: Buffer, from: number) => Delimiter | undefined
}

const dashes = Buffer.from('\r\n--')
const [dash, lf] = [0x2d, 0x0a]

/** Finds delimiters in one pass, with any number of open multiparts. */
export function openMultiparts(): OpenMultiparts {
  const boundaries: string[] = []
  const levels = new Map<string, number>()

  const at = (raw: Buffer, start: number): Delimiter | undefined => {
    if (raw[start] !== dash || raw[start + 1] !== dash) return undefined
    const end = startOfNext(raw, start)
    const text = raw.toString('latin1', start + 2, end).trimEnd()
    const level = levels.get(text)
    if (level !== undefined) return { start, end, level, isLast: false }
    const last = text.endsWith('--') ? levels.get(text.slice(0, -2)) : undefined
    return last === undefined ? undefined : { start, end, level: last, isLast: true }
  }

  return {
    level: () => boundaries.length,

    open(boundary) {
      if (levels.has(boundary)) return false
      levels.set(boundary, boundaries.push(boundary) - 1)
      return true
    },

    close(level) {
      for (const boundary of boundaries.splice(level)) levels.delete(boundary)
    },

    at,

    next(raw, from) {
      if (boundaries.length === 0) return undefined
      let found = at(raw, from)
      for (let end = from; found === undefined; ) {
        const before = raw.indexOf(dashes, end)
        if (before < 0) return undefined
        end = before + 2
        found = at(raw, end)
      }
      return found
    },
  }
}

/** Returns the position of the line that follows the line at `start`. */
export function startOfNext(raw: Buffer, start: number): number {
  const feed = raw.indexOf(lf, start)
  return feed < 0 ? raw.length : feed + 1
}
