import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordHash } from './password-hash.ts'

/** Returns whether a hash is one of this password. Takes up to a second, mostly in other threads. */
export async function isHashOf(hash: PasswordHash, password: string): Promise<boolean> {
  if (hash.algorithm === 'BCRYPT') {
    // It is large, and most pools have no hashes.
    const { compare } = await import('bcryptjs')
    return compare(password, hash.text)
  }
  return crypto.timingSafeEqual(await derivedKey(hash, password), hash.key)
}

async function derivedKey(
  hash: Exclude<PasswordHash, { readonly algorithm: 'BCRYPT' }>,
  password: string,
): Promise<Buffer> {
  const { salt, key } = hash
  switch (hash.algorithm) {
    case 'SCRYPT': {
      const { N, r, p } = hash
      // Node refuses what comes near its own limit of 32 MiB.
      const maxmem = 2 * 128 * N * r + 1024 * 1024
      return promisify<string, Buffer, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)(
        ...[password, salt, key.length, { N, r, p, maxmem }],
      )
    }
    case 'ARGON2ID': {
      const { memory, passes, parallelism } = hash
      return promisify(crypto.argon2)('argon2id', {
        ...{ message: password, nonce: salt, tagLength: key.length },
        ...{ memory, passes, parallelism },
      })
    }
    case 'PBKDF2_SHA256':
      return promisify(crypto.pbkdf2)(password, salt, hash.iterations, key.length, 'sha256')
  }
}
