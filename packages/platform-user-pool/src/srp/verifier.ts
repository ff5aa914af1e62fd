import type { Random } from '@signalbox/platform-runtime'
import { g, integer, pad, power, sha256 } from './group.ts'

/** What is kept of a password: enough to recognize it, and for nothing else. Hexadecimal digits. */
export interface Verifier {
  readonly salt: string
  readonly verifier: string
}

/** Whose password it is: the pool's name (what follows the `_` in its id) and the user name. */
export interface PasswordOwner {
  readonly poolName: string
  readonly userName: string
}

const saltSize = 16

/** A verifier of a password, with a salt of its own. */
export function makeVerifier(owner: PasswordOwner, password: string, random: Random): Verifier {
  const bytes = Buffer.from(random(saltSize))
  // Clients do not agree about a zero in front.
  while (bytes[0] === 0) bytes[0] = random(1)[0]!
  const salt = bytes.toString('hex')
  return { salt, verifier: power(g, exponentOf(owner, password, salt)).toString(16) }
}

/** The verifier that a password has with a given salt: the same work for every password. */
export function verifierOf(owner: PasswordOwner, password: string, salt: string): bigint {
  return power(g, exponentOf(owner, password, salt))
}

function exponentOf({ poolName, userName }: PasswordOwner, password: string, salt: string): bigint {
  const secret = sha256(`${poolName}${userName}:${password}`)
  return integer(sha256(pad(BigInt(`0x${salt}`)), secret))
}
