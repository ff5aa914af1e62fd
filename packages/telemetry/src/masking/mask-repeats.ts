import { mark } from './findings.ts'

/** The length of the pieces in which a secret is searched for. */
const pieceLength = 32

/** A secret that is shorter than this is masked only as a whole word. */
const shortLength = 8

/** Masks secrets wherever they are repeated. */
export type MaskRepeats = (text: string) => string

/**
 * Searches strings for secrets. The time grows with the length of the strings plus the length of the secrets, not with
 * their product: a rolling hash over the length of the shortest secret shows which secrets may begin at a position.
 * Long secrets are searched for in pieces.
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
  // When a secret is split, the remainder belongs to the last piece.
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
    // If a hostile string repeats the beginnings of so many secrets that this limit is exceeded, it is masked
    // completely.
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
        // Only the first piece of a secret is replaced with a mark. Further pieces are removed.
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
