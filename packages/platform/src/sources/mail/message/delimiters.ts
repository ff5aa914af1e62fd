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
  /** The next delimiter from a line's start on. */
  readonly next: (raw: Buffer, from: number) => Delimiter | undefined
}

const dashes = Buffer.from('\r\n--')
const [dash, lf] = [0x2d, 0x0a]

/** Finds delimiters in one pass, however many multiparts are open. */
export function openMultiparts(): OpenMultiparts {
  const boundaries: string[] = []
  const levels = new Map<string, number>()

  const read = (line: string): Pick<Delimiter, 'level' | 'isLast'> | undefined => {
    const text = line.trimEnd().slice(2)
    const level = levels.get(text)
    if (level !== undefined) return { level, isLast: false }
    const last = text.endsWith('--') ? levels.get(text.slice(0, -2)) : undefined
    return last === undefined ? undefined : { level: last, isLast: true }
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

    next(raw, from) {
      if (boundaries.length === 0) return undefined
      let start = raw[from] === dash && raw[from + 1] === dash ? from : lineWithDashes(raw, from)
      while (start >= 0) {
        const feed = raw.indexOf(lf, start)
        const end = feed < 0 ? raw.length : feed + 1
        const found = read(raw.toString('latin1', start, end))
        if (found !== undefined) return { start, end, ...found }
        // The line end behind this line may belong to the next one.
        start = feed < 0 ? -1 : lineWithDashes(raw, feed - 1)
      }
      return undefined
    },
  }
}

function lineWithDashes(raw: Buffer, from: number): number {
  const at = raw.indexOf(dashes, from)
  return at < 0 ? at : at + 2
}
