/**
 * The known name that somebody who wrote `name` most likely meant, or undefined when none is close: at most a
 * third of the letters may be wrong. An insertion, a deletion, a replacement and a swap of neighbours each count
 * one, and the case of letters nothing. Of equally near names the first wins.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const most = Math.floor(Math.max(name.length, candidate.length) / 3)
    // Names of very different lengths, however long they are, cost nothing.
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
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      }
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
