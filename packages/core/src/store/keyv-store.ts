import { InvalidOptionError } from '../errors.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import type { Store } from './store.ts'

/** The part of a `Keyv` that the store uses. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  set(key: string, value: string, ttl: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/**
 * Returns a store that uses keyv, and therefore Redis, PostgreSQL, SQLite or any other database with a keyv adapter.
 *
 * Keyv has no command that sets a key only if it is absent. Within one process, claims of a key run one after the
 * other. Across processes, the key is read, written and read again, so the claims of two processes can both succeed
 * within one round trip. If that is not acceptable, implement `Store` with a command of your database.
 *
 * The methods reject when keyv reports that a write failed.
 *
 * @example
 * const store = keyvStore(new Keyv(new KeyvRedis('redis://localhost')))
 * @throws InvalidOptionError for an argument that is not a Keyv
 */
export function keyvStore(keyv: KeyvLike): Store {
  for (const method of ['get', 'set', 'delete'] as const) {
    if (typeof keyv?.[method] !== 'function')
      throw new InvalidOptionError(
        `keyvStore() takes a Keyv, such as new Keyv(), but this has no ${method}()`,
      )
  }
  const claims = new Map<string, Promise<unknown>>()
  const get = async (key: string): Promise<string | undefined> => {
    const value = await keyv.get(key)
    return typeof value === 'string' ? value : undefined
  }
  const set = async (key: string, value: string, ttl: number): Promise<void> => {
    if ((await keyv.set(key, value, ttl)) === false)
      throw new Error('Keyv could not write the key: set() returned false. See its "error" event.')
  }
  const claim = async (key: string, value: string, ttl: number): Promise<boolean> => {
    if ((await get(key)) !== undefined) return false
    await set(key, value, ttl)
    return (await get(key)) === value
  }
  return notAnAnswer('a store', {
    get,
    set,
    async setIfAbsent(key, value, ttl) {
      for (let other = claims.get(key); other !== undefined; other = claims.get(key)) await settled(other)
      const ownClaim = claim(key, value, ttl)
      claims.set(key, ownClaim)
      try {
        return await ownClaim
      } finally {
        claims.delete(key)
      }
    },
    async delete(key) {
      await keyv.delete(key)
    },
  })
}

const settled = (promise: Promise<unknown>): Promise<unknown> => Promise.allSettled([promise])
