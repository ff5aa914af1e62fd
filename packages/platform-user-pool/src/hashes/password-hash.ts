import * as crypto from 'node:crypto'

/** The algorithms of password hashes that can be imported, by the names of the service, which has no PBKDF2_SHA512. */
export type HashAlgorithm = 'BCRYPT' | 'SCRYPT' | 'ARGON2ID' | Pbkdf2
type Pbkdf2 = 'PBKDF2_SHA256' | 'PBKDF2_SHA512'

/** A password hash of another service. */
export type PasswordHash =
  | { readonly algorithm: 'BCRYPT'; readonly text: string }
  | (Derived & { readonly algorithm: 'SCRYPT'; readonly N: number; readonly r: number; readonly p: number })
  | (Derived & {
      readonly algorithm: 'ARGON2ID'
      /** The memory in KiB. */
      readonly memory: number
      readonly passes: number
      readonly parallelism: number
    })
  | (Derived & { readonly algorithm: Pbkdf2; readonly iterations: number })

/** A salt, and the key that was derived from the password with it. */
interface Derived {
  readonly salt: Buffer
  readonly key: Buffer
}

/** Whether this version of Node.js has Argon2. */
const nodeHasArgon2 = 'argon2' in crypto

/**
 * Reads a password hash in its usual text form: `$2b$…` for bcrypt, and PHC strings such as `$argon2id$v=19$m=…$…$…` for
 * the others. PBKDF2 can also be in the forms of passlib and Django.
 * @returns what is wrong, as a sentence without any part of the hash, if it cannot be imported. A hash that would take
 * much memory or time to check is refused, because anyone who knows a user name could make the platform check it.
 */
export function readHash(text: string, hasArgon2 = nodeHasArgon2): PasswordHash | string {
  for (const [form, read] of forms) {
    const found = form.exec(text)
    if (found !== null) return read(found.slice(1), hasArgon2)
  }
  return 'The password hash has no known form: bcrypt, or a PHC string of scrypt, argon2id, pbkdf2-sha256 or pbkdf2-sha512.'
}

type Read = (parts: readonly string[], hasArgon2: boolean) => PasswordHash | string

const base64 = String.raw`([A-Za-z\d+/.]+={0,2})`

const forms: readonly (readonly [RegExp, Read])[] = [
  [/^(\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53})$/, ([text, cost]) => bcryptHash(text!, Number(cost))],
  [
    new RegExp(String.raw`^\$scrypt\$ln=(\d{1,3}),r=(\d{1,6}),p=(\d{1,6})\$${base64}\$${base64}$`),
    ([ln, r, p, salt, key]) => scryptHash(Number(ln), Number(r), Number(p), bytesOf(salt!), bytesOf(key!)),
  ],
  [
    new RegExp(String.raw`^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,6})\$${base64}\$${base64}$`),
    ([m, t, p, salt, key], hasArgon2) =>
      hasArgon2
        ? argon2Hash(Number(m), Number(t), Number(p), bytesOf(salt!), bytesOf(key!))
        : `Argon2 needs Node.js 24 or later, and this platform runs on ${process.version}.`,
  ],
  [
    new RegExp(String.raw`^\$pbkdf2-sha(256|512)\$(?:i=)?(\d{1,12})(?:,l=\d+)?\$${base64}\$${base64}$`),
    ([bits, iterations, salt, key]) =>
      pbkdf2Hash(
        bits === '512' ? 'PBKDF2_SHA512' : 'PBKDF2_SHA256',
        Number(iterations),
        bytesOf(salt!),
        bytesOf(key!),
      ),
  ],
  [
    new RegExp(String.raw`^pbkdf2_sha256\$(\d{1,12})\$([^$]{1,128})\$${base64}$`),
    ([iterations, salt, key]) =>
      pbkdf2Hash('PBKDF2_SHA256', Number(iterations), Buffer.from(salt!), bytesOf(key!)),
  ],
]

/** The most that a hash may cost to check. */
const most = {
  /** The logarithm of bcrypt's rounds. It is computed in JavaScript, in about a second. */
  bcryptCost: 13,
  /** Bytes of memory. */
  memory: 128 * 1024 * 1024,
  parallelism: 8,
  /** Bytes of memory, times the number of times that scrypt fills it. */
  scryptWork: 256 * 1024 * 1024,
  /** KiB of memory, times the number of passes of Argon2. */
  argon2Work: 400_000,
  iterations: 2_000_000,
}

function bcryptHash(text: string, cost: number): PasswordHash | string {
  if (cost < 4 || cost > most.bcryptCost) return `The cost of bcrypt must be from 4 to ${most.bcryptCost}.`
  return { algorithm: 'BCRYPT', text }
}

function scryptHash(ln: number, r: number, p: number, salt: Buffer, key: Buffer): PasswordHash | string {
  const N = 2 ** ln
  const memory = 128 * N * r
  if (ln < 1 || r < 1 || p < 1 || memory > most.memory || memory * p > most.scryptWork)
    return 'Scrypt must need at most 128 MiB (128 · N · r), and 256 MiB with p.'
  if (ln >= 16 * r) return 'Scrypt must have an ln below 16 · r.'
  return wrongSizes(salt, key) ?? { algorithm: 'SCRYPT', N, r, p, salt, key }
}

function argon2Hash(
  memory: number,
  passes: number,
  parallelism: number,
  salt: Buffer,
  key: Buffer,
): PasswordHash | string {
  const isBounded = memory * 1024 <= most.memory && memory * passes <= most.argon2Work
  if (
    !isBounded ||
    passes < 1 ||
    parallelism < 1 ||
    parallelism > most.parallelism ||
    memory < 8 * parallelism
  )
    return `Argon2 must have m of 8 · p to ${most.memory / 1024}, m · t up to ${most.argon2Work}, and p of 1 to ${most.parallelism}.`
  return wrongSizes(salt, key) ?? { algorithm: 'ARGON2ID', memory, passes, parallelism, salt, key }
}

function pbkdf2Hash(algorithm: Pbkdf2, iterations: number, salt: Buffer, key: Buffer): PasswordHash | string {
  if (iterations < 1 || iterations > most.iterations)
    return `PBKDF2 must have 1 to ${most.iterations} iterations.`
  return wrongSizes(salt, key) ?? { algorithm, iterations, salt, key }
}

function wrongSizes(salt: Buffer, key: Buffer): string | undefined {
  const isGood = salt.length >= 8 && salt.length <= 128 && key.length >= 16 && key.length <= 64
  return isGood ? undefined : 'The password hash must have a salt of 8 to 128 bytes and a key of 16 to 64.'
}

/** Decodes base64 with or without padding, or in passlib's form with a `.` for each `+`. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64')
}
