import { randomFillSync } from 'node:crypto'

/** A source of random bytes, which tests replace. */
export type Random = (size: number) => Uint8Array

const pool = Buffer.alloc(8192)
let used = pool.length

/**
 * The random source of the system. It reads ahead in large pieces, because each read costs as much as thousands of
 * bytes.
 */
export const systemRandom: Random = size => {
  if (size > pool.length) return randomFillSync(Buffer.alloc(size))
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += size
  return new Uint8Array(pool.subarray(used - size, used))
}

/** Returns `size` random bytes as hexadecimal digits. */
export function randomHex(random: Random, size: number): string {
  return Buffer.from(random(size)).toString('hex')
}

/** Returns a random version 4 UUID. */
export function randomUuid(random: Random): string {
  const bytes = Buffer.from(random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
