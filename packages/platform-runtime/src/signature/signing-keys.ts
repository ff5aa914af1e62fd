import type { HmacKey } from './hmac-sha256.ts'

/** The scope in which a signature is valid: its day, region and service. */
export interface Scope {
  readonly date: string
  readonly region: string
  readonly service: string
}

/** The parts of a header `Authorization` that are the same in all requests of a client for a day. */
export interface Credential {
  readonly accessKeyId: string
  readonly scope: Scope
  readonly signedHeaders: readonly string[]
}

/** A credential with its derived key. */
interface KeptKey extends Credential {
  /** The secret from which the key was derived. */
  readonly secret: string
  readonly key: HmacKey
}

/** Keeps derived signing keys, because a derivation takes four digests, and reading a header takes as long as two. */
export interface SigningKeys {
  /** @param name the text of the credential. Equal texts have equal credentials. */
  readonly get: (name: string) => KeptKey | undefined
  readonly set: (name: string, kept: KeptKey) => void
}

/** The maximum number of keys that are kept: a day, a few regions and services, and many clients. */
const keysLimit = 1024

export function signingKeys(limit: number = keysLimit): SigningKeys {
  const all = new Map<string, KeptKey>()
  return {
    get: name => all.get(name),
    set(name, kept) {
      if (all.size >= limit) all.clear()
      all.set(name, kept)
    },
  }
}
