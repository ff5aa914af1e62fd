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
