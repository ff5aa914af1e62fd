import { mark } from './found.ts'

/** Secrets that are looked for one after the other, which is the quickest way for a few. */
const few = 32

/** Masks secrets wherever they are repeated. */
export function maskRepeats(text: string, secrets: readonly string[]): string {
  if (text === '') return text
  if (secrets.length > few) return maskMany(text, secrets)
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, mark)
  return masked
}

/** The same in one pass: who sends secrets by the thousand must not have the text searched as often. */
function maskMany(text: string, secrets: readonly string[]): string {
  const sorted = [...new Set(secrets)].filter(secret => secret !== '').sort(byUnits)
  const shorter = prefixes(sorted)
  const ranges = new Map<number, readonly [from: number, to: number]>()
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const unit = sorted[from]!.charCodeAt(0)
    while (to < sorted.length && sorted[to]!.charCodeAt(0) === unit) to++
    ranges.set(unit, [from, to])
  }
  let masked = ''
  let done = 0
  for (let at = 0; at < text.length; ) {
    const range = ranges.get(text.charCodeAt(at))
    const length = range === undefined ? 0 : longestAt(text, at, sorted, shorter, range)
    if (length > 0) {
      masked += text.slice(done, at) + mark
      done = at + length
    }
    at += length || 1
  }
  return masked + text.slice(done)
}

/** The length of the longest of these secrets that stands here; 0 for none. */
function longestAt(
  text: string,
  at: number,
  sorted: readonly string[],
  shorter: Int32Array,
  [from, to]: readonly [number, number],
): number {
  // The last that is not behind what stands here begins with all of them that stand here. How far the bounds are the
  // same as the text, everything between them is, too.
  let [low, high] = [from, to]
  let [sameLow, sameHigh] = [0, 0]
  while (low < high) {
    const middle = (low + high) >> 1
    const secret = sorted[middle]!
    const same = common(secret, text, at, Math.min(sameLow, sameHigh))
    const isBehind =
      same < secret.length &&
      (at + same === text.length || secret.charCodeAt(same) > text.charCodeAt(at + same))
    if (isBehind) [high, sameHigh] = [middle, same]
    else [low, sameLow] = [middle + 1, same]
  }
  let each = low === from ? -1 : low - 1
  while (each >= 0 && sorted[each]!.length > sameLow) each = shorter[each]!
  return each < 0 ? 0 : sorted[each]!.length
}

/** How far a secret and what stands in a text from some place on are the same, of which a part is known. */
function common(secret: string, text: string, at: number, known: number): number {
  const most = Math.min(secret.length, text.length - at)
  let same = known
  while (same < most && secret.charCodeAt(same) === text.charCodeAt(at + same)) same++
  return same
}

/** For each of sorted texts the place of the longest other one that it begins with; -1 for none. */
function prefixes(sorted: readonly string[]): Int32Array {
  const shorter = new Int32Array(sorted.length)
  for (const [i, text] of sorted.entries()) {
    let each = i - 1
    while (each >= 0 && !text.startsWith(sorted[each]!)) each = shorter[each]!
    shorter[i] = each
  }
  return shorter
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
