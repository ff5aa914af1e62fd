/** A line between the parts of a multipart, or behind the last one (RFC 2046, 5.1.1). */
export interface Delimiter {
  /** Where the line starts, and where the next one does. */
  readonly start: number
  readonly end: number
  /** Of the multiparts that are open, the one to which it belongs; the outermost is 0. */
  readonly level: number
  readonly isLast: boolean
}

/** The multiparts that a place in a mail is within. */
export interface OpenMultiparts {
  readonly level: () => number
  /** False when there is such a boundary already. */
  readonly open: (boundary: string) => boolean
  /** Closes multiparts until so many are open. */
  readonly close: (level: number) => void
  /** The delimiter that a line is, if it is one. */
  readonly at: (raw: Buffer, start: number) => Delimiter | undefined
  /** The next delimiter from a line's start on. */
  readonly next: (raw: Buffer, from: number) => Delimiter | undefined
}

const dashes = Buffer.from('\r\n--')
const [dash, lf] = [0x2d, 0x0a]

/** Finds delimiters in one pass, however many multiparts are open. */
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

/** Where the line behind the one that starts there starts. */
export function startOfNext(raw: Buffer, start: number): number {
  const feed = raw.indexOf(lf, start)
  return feed < 0 ? raw.length : feed + 1
}
