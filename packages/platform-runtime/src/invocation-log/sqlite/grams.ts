/** The number of bits in the set of a text. Each possible hash has one bit. */
const bits = 0x10000

/** The maximum number of hashes that are stored as a list. A larger set is stored as a bitmap. */
const mostListed = bits / 16

/**
 * A set of the sequences of four bytes in a text, hashed to 16 bits. All sequences in a part of a text are also in the
 * whole text, so the sets of old blocks show which blocks need not be searched.
 */
export type Grams = Uint8Array

/** One byte for each hash, which shows whether the current text has it. Writing a byte is faster than setting a bit. */
const present = new Uint8Array(bits)

/** Returns the n-gram set of a text in UTF-8. */
export function gramsOf(text: Uint8Array): Grams {
  present.fill(0)
  let window = 0
  const { length } = text
  for (let i = 0; i < length; i++) {
    window = (window << 8) | text[i]!
    // The first three windows are shorter. They add hashes that no search looks for.
    present[Math.imul(window, 0x9e3779b1) >>> 16] = 1
  }
  const set = new Uint8Array(bits / 8)
  for (let i = 0, hash = 0; i < set.length; i++) {
    let byte = 0
    for (let bit = 0; bit < 8; bit++) byte |= present[hash++]! << bit
    set[i] = byte
  }
  return stored(set)
}

/** Returns the union of several n-gram sets. */
export function unionOf(all: readonly Grams[]): Grams {
  const set = new Uint8Array(bits / 8)
  for (const grams of all)
    if (grams.length === set.length) for (let i = 0; i < set.length; i++) set[i]! |= grams[i]!
    else for (const hash of hashesIn(grams)) set[hash >>> 3]! |= 1 << (hash & 7)
  return stored(set)
}

/**
 * Returns the hashes that are in the set of every text that contains this part. Leaves out sequences with characters
 * that JSON escapes, because the text may contain them in another form.
 */
export function hashesOf(part: string): readonly number[] {
  const hashes = new Set<number>()
  for (const run of part.toWellFormed().split(/["\\\p{Cc}\u2028\u2029\ufffd]/u)) {
    const bytes = Buffer.from(run)
    for (let i = 0; i + 4 <= bytes.length; i++) hashes.add(Math.imul(bytes.readInt32BE(i), 0x9e3779b1) >>> 16)
  }
  return [...hashes]
}

/** Returns whether a set contains all of these hashes. */
export function hasAll(grams: Grams, hashes: readonly number[]): boolean {
  if (grams.length === bits / 8) return hashes.every(hash => (grams[hash >>> 3]! & (1 << (hash & 7))) !== 0)
  return hashes.every(hash => isListed(grams, hash))
}

/** Returns whether a sorted list contains a hash. */
function isListed(list: Uint8Array, hash: number): boolean {
  let [from, to] = [0, list.length / 2]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = (list[2 * middle]! << 8) | list[2 * middle + 1]!
    if (found === hash) return true
    if (found < hash) from = middle + 1
    else to = middle
  }
  return false
}

/** Returns a set in its shorter form, which is a list of hashes or a bitmap. */
function stored(set: Uint8Array): Grams {
  let count = 0
  for (let i = 0; i < set.length; i++) for (let byte = set[i]!; byte !== 0; byte &= byte - 1) count++
  if (count >= mostListed) return set
  const list = new Uint8Array(2 * count)
  let at = 0
  for (let hash = 0; hash < bits; hash++) {
    if ((set[hash >>> 3]! & (1 << (hash & 7))) === 0) continue
    list[at++] = hash >>> 8
    list[at++] = hash & 255
  }
  return list
}

function* hashesIn(list: Uint8Array): Generator<number> {
  for (let i = 0; i < list.length; i += 2) yield (list[i]! << 8) | list[i + 1]!
}
