import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bcryptThread } from '../own-code.ts'
import type { PasswordHash } from './password-hash.ts'

/** Returns whether a hash is one of this password. Takes up to a second, in another thread. */
export async function isHashOf(hash: PasswordHash, password: string): Promise<boolean> {
  if (hash.algorithm === 'BCRYPT') {
    return isBcryptOf({ text: hash.text, password })
  }
  return crypto.timingSafeEqual(await derivedKey(hash, password), hash.key)
}

/** The input of the thread that computes bcrypt. */
export interface BcryptCheck {
  readonly text: string
  readonly password: string
}

/** Computes bcrypt in a thread, because it is in JavaScript and would block this one. */
function isBcryptOf(check: BcryptCheck): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(bcryptThread, {
      workerData: check,
      execArgv: [],
      env: {},
    })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The thread that checks a password hash has ended.')))
  })
}

async function derivedKey(
  hash: Exclude<PasswordHash, { readonly algorithm: 'BCRYPT' }>,
  password: string,
): Promise<Buffer> {
  const { salt, key } = hash
  switch (hash.algorithm) {
    case 'SCRYPT': {
      const { N, r, p } = hash
      // OpenSSL refuses what comes near the limit, which is 32 MiB by default.
      const maxmem = 128 * r * (2 * N + p) + 1024 * 1024
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
    default: {
      const digest = hash.algorithm === 'PBKDF2_SHA512' ? 'sha512' : 'sha256'
      return promisify(crypto.pbkdf2)(password, salt, hash.iterations, key.length, digest)
    }
  }
}
