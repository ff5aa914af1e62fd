import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Random } from '@signalbox/platform-runtime'
import { generatorPower } from './generator-power.ts'
import { integer, k, N, pad, power, sha256 } from './group.ts'
import type { PasswordOwner } from './verifier.ts'

/** The server's ephemeral values in an exchange, in hexadecimal. `b` is secret. */
export interface ServerHalf {
  readonly b: string
  readonly B: string
}

const secretSize = 32

/** Creates the server's ephemeral values for an exchange with a verifier. */
export function serverHalf(verifier: bigint, random: Random): ServerHalf {
  for (;;) {
    const b = integer(random(secretSize))
    const B = (k * verifier + generatorPower(b)) % N
    if (B !== 0n) return { b: b.toString(16), B: B.toString(16) }
  }
}

/**
 * Reads the client's public value. Returns undefined if the value is not a number, or would make the shared secret
 * zero.
 */
export function clientHalf(A: unknown): string | undefined {
  if (typeof A !== 'string' || !/^[0-9a-fA-F]{1,1024}$/.test(A)) return undefined
  return BigInt(`0x${A}`) % N === 0n ? undefined : A
}

/** A client's proof of a password. */
export interface Proof {
  /** The signature in Base64. */
  readonly signature: string
  /** The secret block, which the server encrypted. */
  readonly block: Uint8Array
  readonly timestamp: string
}

/** Returns whether a proof matches the password of a verifier. Takes the same time in either case. */
export function isProof(
  owner: PasswordOwner,
  verifier: bigint,
  { b, B }: ServerHalf,
  A: string,
  { signature, block, timestamp }: Proof,
): boolean {
  const client = BigInt(`0x${A}`)
  const u = integer(sha256(pad(client), pad(BigInt(`0x${B}`))))
  const secret = power((client * power(verifier, u)) % N, BigInt(`0x${b}`))
  const key = hkdfSync('sha256', createSecretKey(pad(secret)), pad(u), 'Caldera Derived Key', 16)
  const expected = createHmac('sha256', createSecretKey(Buffer.from(key)))
    .update(owner.poolName)
    .update(owner.userName)
    .update(block)
    .update(timestamp)
    .digest()
  const received = Buffer.from(signature, 'base64')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
