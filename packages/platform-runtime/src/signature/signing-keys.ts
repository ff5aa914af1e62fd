import type { KeyObject } from 'node:crypto'

/** Derived signing keys by access key and scope, because deriving one takes four digests. */
export interface SigningKeys {
  /** Returns a derived key. Undefined for one that was not set, or was set for another secret. */
  readonly get: (accessKeyId: string, secret: string, scope: string) => KeyObject | undefined
  readonly set: (accessKeyId: string, secret: string, scope: string, key: KeyObject) => void
}

/** The maximum number of keys that are kept: a day, a few regions and services, and many clients. */
const keysLimit = 1024

export function signingKeys(limit: number = keysLimit): SigningKeys {
  const kept = new Map<string, { readonly secret: string; readonly key: KeyObject }>()
  return {
    get(accessKeyId, secret, scope) {
      const found = kept.get(`${accessKeyId}/${scope}`)
      return found?.secret === secret ? found.key : undefined
    },
    set(accessKeyId, secret, scope, key) {
      const name = `${accessKeyId}/${scope}`
      if (kept.get(name)?.key === key) return
      if (kept.size >= limit) kept.clear()
      kept.set(name, { secret, key })
    },
  }
}
