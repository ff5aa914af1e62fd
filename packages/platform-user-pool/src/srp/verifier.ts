import type { Random } from '@signalbox/platform-runtime'
import { generatorPower } from './generator-power.ts'
import { integer, pad, sha256 } from './group.ts'

/** The stored form of a password, in hexadecimal. A password can be checked against it but not recovered from it. */
export interface Verifier {
  readonly salt: string
  readonly verifier: string
}

/**
 * The names that SRP mixes into a password. They are the pool's name, which is the part of its id after the `_`, and
 * the user name.
 */
export interface PasswordOwner {
  readonly poolName: string
  readonly userName: string
}

const saltSize = 16

/** Returns the verifier of a password, with a new salt. */
export function makeVerifier(owner: PasswordOwner, password: string, random: Random): Verifier {
  const bytes = Buffer.from(random(saltSize))
  // Clients encode a leading zero byte differently, so a salt must not start with one.
  while (bytes[0] === 0) bytes[0] = random(1)[0]!
  const salt = bytes.toString('hex')
  return { salt, verifier: generatorPower(exponentOf(owner, password, salt)).toString(16) }
}

/** Returns the verifier of a password for a given salt. Takes the same time for every password. */
export function verifierOf(owner: PasswordOwner, password: string, salt: string): bigint {
  return generatorPower(exponentOf(owner, password, salt))
}

function exponentOf({ poolName, userName }: PasswordOwner, password: string, salt: string): bigint {
  const secret = sha256(`${poolName}${userName}:${password}`)
  return integer(sha256(pad(BigInt(`0x${salt}`)), secret))
}
