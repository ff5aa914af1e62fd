import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The checksum algorithms of S3 by their names in headers, such as `x-amz-checksum-crc32`. The values are in base64. */
export const checksums: { readonly [name: string]: (bytes: Uint8Array) => string } = {
  crc32: bytes => words(crc32(bytes)),
  crc32c: bytes => words(...crc(bytes, [0x82f63b78])),
  crc64nvme: bytes => words(...crc(bytes, [0x9a6c9329, 0xac4bc9b5])),
  sha1: bytes => createHash('sha1').update(bytes).digest('base64'),
  sha256: bytes => createHash('sha256').update(bytes).digest('base64'),
}

/** Returns words of 32 bits as base64. */
function words(...all: readonly number[]): string {
  const bytes = Buffer.alloc(4 * all.length)
  for (const [at, word] of all.entries()) bytes.writeUInt32BE(word >>> 0, 4 * at)
  return bytes.toString('base64')
}

/** A polynomial in reversed bit order: one word of 32 bits or two, the high one first. */
type Polynomial = readonly [number] | readonly [number, number]

/** Returns the cyclic redundancy check of bytes: bits are reversed, and all bits are inverted before and after. */
function crc(bytes: Uint8Array, polynomial: Polynomial): readonly number[] {
  const [highPolynomial, lowPolynomial] = polynomial.length === 1 ? [0, polynomial[0]] : polynomial
  const high = new Int32Array(256)
  const low = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let [top, bottom] = [0, byte]
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (bottom & 1) === 1
      bottom = (bottom >>> 1) | (top << 31)
      top >>>= 1
      if (isOdd) {
        top ^= highPolynomial
        bottom ^= lowPolynomial
      }
    }
    high[byte] = top
    low[byte] = bottom
  }
  let [top, bottom] = polynomial.length === 1 ? [0, -1] : [-1, -1]
  for (const byte of bytes) {
    const at = (bottom ^ byte) & 0xff
    bottom = ((bottom >>> 8) | (top << 24)) ^ low[at]!
    top = (top >>> 8) ^ high[at]!
  }
  return polynomial.length === 1 ? [~bottom] : [~top, ~bottom]
}
