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
  let hex = ''
  for (const byte of random(size)) hex += digits[byte]
  return hex
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns a random version 4 UUID. */
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

/** The number of random bytes that are read at once, because each read is expensive. */
const drawn = 1024

/**
 * Returns a function that returns `size` random bytes as hexadecimal digits. The random bytes for many calls are read
 * at once.
 */
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

/** The positions of the 16 bytes in a UUID. */
const bytePlaces = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** The number of UUIDs that are made at once. */
const uuidsAtOnce = 64

/** Returns a function that returns a random version 4 UUID. It makes many UUIDs at a time. */
export function uuidSource(random: Random): () => string {
  const letters = Buffer.alloc(uuidsAtOnce * 36, '-')
  let uuids = ''
  let at = 0
  return () => {
    if (at === uuids.length) {
      const bytes = random(uuidsAtOnce * 16)
      let byte = 0
      for (let start = 0; start < letters.length; start += 36) {
        for (const place of bytePlaces) {
          const value = bytes[byte++]!
          const fixed = place === 14 ? (value & 0x0f) | 0x40 : place === 19 ? (value & 0x3f) | 0x80 : value
          letters[start + place] = hexDigits[fixed >> 4]!
          letters[start + place + 1] = hexDigits[fixed & 15]!
        }
      }
      uuids = letters.toString('latin1')
      at = 0
    }
    at += 36
    return uuids.slice(at - 36, at)
  }
}

const hexDigits = Buffer.from('0123456789abcdef')
