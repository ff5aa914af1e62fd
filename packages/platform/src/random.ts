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
  return pool.subarray(used - size, used).slice()
}

/** So many random bytes as hexadecimal digits. */
export function randomHex(random: Random, size: number): string {
  const bytes = random(size)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** A random UUID, version 4. */
export function randomUuid(random: Random): string {
  const bytes = Uint8Array.from(random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Buffer.from(bytes.buffer).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
