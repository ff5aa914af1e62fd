/**
 * Returns the known name that is nearest to a misspelled name, or undefined when more than a third of the letters
 * differ. Each inserted, deleted or replaced letter counts as one difference, and so does a swap of two adjacent
 * letters. Case does not matter. Among equally near names, it returns the first.
 * @example
 * ```ts
 * import { nearest } from '@signalbox/codec'
 *
 * nearest('totl', ['id', 'total']) // 'total'
 * nearest('customer', ['id', 'total']) // undefined
 * ```
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const most = Math.floor(Math.max(name.length, candidate.length) / 3)
    // Skips names of a very different length without comparing them.
    if (Math.abs(name.length - candidate.length) > most) continue
    const edits = distance(name.toLowerCase(), candidate.toLowerCase())
    if (edits < least && edits <= most) {
      best = candidate
      least = edits
    }
  }
  return best
}

function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      }
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/**
 * Describes what was expected instead of an unknown field: the nearest known field, or all known fields if none is
 * near.
 * @example
 * ```ts
 * import { fieldHint } from '@signalbox/codec'
 *
 * fieldHint('totl', ['id', 'total']) // 'no such field; did you mean total?'
 * fieldHint('x', ['id', 'total']) // 'one of the fields id, total'
 * ```
 */
export function fieldHint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined
    ? `one of the fields ${known.join(', ')}`
    : `no such field; did you mean ${meant}?`
}
