import { hash } from 'node:crypto'

/** Returns the HMAC-SHA256 of a text with one key. */
export type HmacKey = (text: string) => Buffer

/**
 * Prepares a key of at most 64 bytes for HMAC-SHA256 (RFC 2104). Two digests of whole buffers take half the time of an
 * `Hmac` of Node, which a listener would create for each request.
 */
export function hmacSha256(key: Uint8Array): HmacKey {
  const inner = padded(key, 0x36)
  const outer = padded(key, 0x5c)
  return text => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
    return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
  }
}

/** The bytes of one block of SHA-256. */
const blockSize = 64

function padded(key: Uint8Array, pad: number): Buffer {
  return Buffer.from(Array.from({ length: blockSize }, (_, at) => (key[at] ?? 0) ^ pad))
}
