import { createHash, createPublicKey, getDiffieHellman, publicEncrypt, constants as rsa } from 'node:crypto'

/** The prime of the SRP group, which is group 15 of RFC 3526. */
const prime = getDiffieHellman('modp15').getPrime()
const size = prime.length

/** The prime N of the SRP group that Cognito clients use. */
export const N = integer(prime)
/** The generator of the SRP group. */
export const g = 2n
/** SRP's multiplier for the verifier in the value that the server sends. */
export const k = integer(sha256(pad(N), pad(g)))

/** Converts big-endian bytes to an integer. */
export function integer(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

/**
 * Converts a non-negative integer to the fewest possible big-endian bytes. If the top bit is set, a zero byte comes
 * first.
 */
export function pad(value: bigint): Buffer {
  const hex = value.toString(16)
  const even = hex.length % 2 === 1 ? `0${hex}` : hex
  return Buffer.from(Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even, 'hex')
}

/** Returns the SHA-256 digest of the pieces, joined in order. */
export function sha256(...pieces: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/**
 * Computes base^exponent mod N. An RSA operation without padding computes the same value and is six times as fast as
 * BigInt. It is used only if both give the same result for an example.
 */
export const power: (base: bigint, exponent: bigint) => bigint = agrees() ? rsaPower : plainPower

function rsaPower(base: bigint, exponent: bigint): bigint {
  const reduced = base % N
  // RSA refuses these values. They are not secret, so BigInt is safe for them.
  if (reduced < 2n || exponent < 3n) return plainPower(reduced, exponent)
  const key = createPublicKey({
    key: { kty: 'RSA', n: prime.toString('base64url'), e: bytesOf(exponent).toString('base64url') },
    format: 'jwk',
  })
  const block = Buffer.from(reduced.toString(16).padStart(size * 2, '0'), 'hex')
  return integer(publicEncrypt({ key, padding: rsa.RSA_NO_PADDING }, block))
}

/** Computes base^exponent mod N with BigInt. Exported for the test that compares it with `power`. */
export function plainPower(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base % N
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % N
    square = (square * square) % N
  }
  return result
}

function agrees(): boolean {
  try {
    const base = integer(sha256('base')) ** 8n
    const exponent = integer(sha256('exponent'))
    return rsaPower(base, exponent) === plainPower(base, exponent)
  } catch {
    return false
  }
}

function bytesOf(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex')
}
