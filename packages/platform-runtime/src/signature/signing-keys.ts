import type { HeaderLayout } from './header-layout.ts'
import type { HmacKey } from './hmac-sha256.ts'

/** The scope in which a signature is valid: its day, region and service. */
export interface Scope {
  /** The whole scope, as signatures contain it. */
  readonly text: string
  readonly date: string
  readonly region: string
  readonly service: string
}

/** The parts of an `Authorization` header that stay the same in all requests of a client for a day. */
export interface Credential {
  readonly accessKeyId: string
  readonly scope: Scope
  /** Lower-case names, joined with semicolons. */
  readonly signedHeaders: string
}

/** A credential with its derived key. */
export interface KeptKey extends Credential {
  /** The secret from which the key was derived. */
  readonly secret: string
  readonly key: HmacKey
  /** The layout of the latest request with this credential. */
  readonly layout: HeaderLayout
}

/**
 * Keeps derived signing keys and parsed headers, because a derivation takes four digests, and reading a header takes as
 * long as two digests.
 */
export interface SigningKeys {
  /** @param name the text of the credential. Equal texts have equal credentials. */
  readonly get: (name: string) => KeptKey | undefined
  readonly set: (name: string, kept: KeptKey) => void
}

/**
 * The maximum number of keys that are kept. It is enough for one day, a few regions and services, and many clients.
 */
const keysLimit = 1024

/** Returns a store of derived signing keys, which keeps at most `limit` of them. */
export function signingKeys(limit: number = keysLimit): SigningKeys {
  const all = new Map<string, KeptKey>()
  // Most requests come from the same client as the previous request. A comparison takes a fifth of the time of a
  // lookup.
  let latest: { readonly name: string; readonly kept: KeptKey } | undefined
  return {
    get(name) {
      if (latest?.name === name) return latest.kept
      const kept = all.get(name)
      if (kept !== undefined) latest = { name, kept }
      return kept
    },
    set(name, kept) {
      if (all.size >= limit && !all.has(name)) all.clear()
      all.set(name, kept)
      latest = { name, kept }
    },
  }
}
