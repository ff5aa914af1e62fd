import { mark } from './findings.ts'

/** Characters of a secret that are looked for as one piece. */
const pieceLength = 32

/** A secret that is as short as this has to stand alone. */
const shortLength = 8

/** Masks secrets wherever they are repeated. */
export type MaskRepeats = (text: string) => string

/**
 * Looks for secrets in texts, in time that grows with the texts and with the secrets, and not with their product.
 * The hash of what stands at a place, of as many characters as the shortest secret may have, tells which secrets may
 * begin there: that hash is made of the one before. A long secret is looked for in pieces.
 */
export function repeatsOf(secrets: Iterable<string>): {
  readonly all: MaskRepeats
  readonly long: MaskRepeats
} {
  const long = new Set<string>()
  const short = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortLength) short.add(secret)
    else for (const piece of piecesOf(secret)) long.add(piece)
  }
  const maskLong = long.size === 0 ? unchanged : finder(long, shortLength, false)
  const maskShort = short.size === 0 ? unchanged : finder(short, 4, true)
  return { all: text => maskShort(maskLong(text)), long: maskLong }
}

const unchanged: MaskRepeats = text => text

function* piecesOf(secret: string): Iterable<string> {
  let from = 0
  // What is left at the end belongs to the last piece.
  for (; secret.length - from >= 2 * pieceLength; from += pieceLength)
    yield secret.slice(from, from + pieceLength)
  yield secret.slice(from)
}

const base = 0x01000193

function finder(secrets: ReadonlySet<string>, window: number, alone: boolean): MaskRepeats {
  let power = 1
  for (let i = 1; i < window; i++) power = Math.imul(power, base)
  const beginnings = new Map<number, string[]>()
  const seen = new Uint8Array(65_536)
  for (const secret of secrets) {
    if (secret.length < window) continue
    let hash = 0
    for (let i = 0; i < window; i++) hash = (Math.imul(hash, base) + secret.charCodeAt(i)) | 0
    seen[hash >>> 16] = 1
    const same = beginnings.get(hash)
    if (same === undefined) beginnings.set(hash, [secret])
    else same.push(secret)
  }
  for (const same of beginnings.values()) same.sort((a, b) => b.length - a.length)

  return text => {
    if (text.length < window) return text
    // A hostile text that repeats the beginnings of many secrets is masked as a whole.
    let comparisons = 1000 + text.length / 8
    let masked = ''
    let done = 0
    let hash = 0
    let hashed = 0
    for (let at = 0; at + window <= text.length; ) {
      if (hashed === 0) {
        for (let i = 0; i < window; i++) hash = (Math.imul(hash, base) + text.charCodeAt(at + i)) | 0
        hashed = 1
      }
      let length = 0
      if (seen[hash >>> 16] === 1) {
        for (const secret of beginnings.get(hash) ?? []) {
          if (comparisons-- < 0) return mark
          if (!text.startsWith(secret, at)) continue
          if (alone && (isWord(text, at - 1) || isWord(text, at + secret.length))) continue
          length = secret.length
          break
        }
      }
      if (length === 0) {
        const out = Math.imul(text.charCodeAt(at), power)
        hash = (Math.imul(hash - out, base) + text.charCodeAt(at + window)) | 0
        at++
      } else {
        // Of the pieces of one secret only the first leaves a mark.
        masked += done === at && done > 0 ? '' : text.slice(done, at) + mark
        at += length
        done = at
        hash = 0
        hashed = 0
      }
    }
    return done === 0 ? text : masked + text.slice(done)
  }
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text[at] ?? '')
}
