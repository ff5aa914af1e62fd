import { randomFillSync } from 'node:crypto'

/** Where randomness comes from: so many bytes, any of which a test may choose. */
export type Random = (size: number) => Uint8Array

const pool = Buffer.alloc(8192)
let used = pool.length

/** The machine's own randomness. It is fetched in larger pieces, because each fetch costs as much as thousands of bytes. */
export const systemRandom: Random = size => {
  if (size > pool.length) return randomFillSync(Buffer.alloc(size))
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += size
  return new Uint8Array(pool.subarray(used - size, used))
}

/** So many random bytes as hexadecimal digits. */
export function randomHex(random: Random, size: number): string {
  let hex = ''
  for (const byte of random(size)) hex += digits[byte]
  return hex
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A random UUID, version 4. */
export function randomUuid(random: Random): string {
  const bytes = random(16)
  let uuid = ''
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) uuid += '-'
    const byte = bytes[i]!
    uuid += digits[i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte]
  }
  return uuid
}

/** Random bytes that are drawn at once: each call of a source costs more than a few bytes. */
const drawn = 1024

/** Gives so many random bytes each time as hexadecimal digits. They are drawn ahead, many at a time. */
export function hexSource(random: Random, size: number): () => string {
  const digitsEach = size * 2
  const ahead = Math.floor(drawn / size) * size
  let hex = ''
  let at = 0
  return () => {
    if (at === hex.length) {
      const bytes = random(ahead)
      hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
      at = 0
    }
    at += digitsEach
    return hex.slice(at - digitsEach, at)
  }
}

/** Gives random UUIDs, version 4. What they are made of is drawn ahead. */
export function uuidSource(random: Random): () => string {
  const next = hexSource(random, 16)
  return () => {
    const hex = next()
    const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
