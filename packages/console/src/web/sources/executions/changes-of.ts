/** A line of a text that was compared: in both texts, only in the earlier one, or only in the later one. */
interface ChangedLine {
  readonly sign: ' ' | '−' | '+'
  readonly line: string
}

/** The maximum number of lines of which each text is compared. */
const mostCompared = 400

/**
 * Returns what changed between two texts, line by line: the longest sequence of lines that both have, with the lines of the
 * earlier text before those of the later one where they differ.
 */
export function changesOf(earlier: string, later: string): readonly ChangedLine[] {
  const one = earlier.split('\n').slice(0, mostCompared)
  const other = later.split('\n').slice(0, mostCompared)
  // same[i][j] is the number of lines in the longest sequence that one from i and other from j have in common.
  const same = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0))
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      same[i]![j] =
        one[i] === other[j] ? same[i + 1]![j + 1]! + 1 : Math.max(same[i + 1]![j]!, same[i]![j + 1]!)
  const lines: ChangedLine[] = []
  for (let i = 0, j = 0; i < one.length || j < other.length; ) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push({ sign: ' ', line: one[i]! })
      i++
      j++
    } else if (i < one.length && (j === other.length || same[i + 1]![j]! >= same[i]![j + 1]!))
      lines.push({ sign: '−', line: one[i++]! })
    else lines.push({ sign: '+', line: other[j++]! })
  }
  return lines
}
