import { type Clock, systemClock } from '../clock.ts'
import { InvalidOptionError } from '../errors.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import { refuseUnknownOptions } from '../options.ts'
import type { Store } from './store.ts'

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /** The clock that decides when a key expires. Default: the system clock. */
  readonly clock?: Clock
  /**
   * The maximum number of keys that the store holds. It always keeps at least the newest `limit / 2` keys, rounded
   * down. Default 10,000.
   */
  readonly limit?: number
}

interface Entry {
  readonly value: string
  readonly until: number
}

/**
 * Returns a store in the memory of this process. Its keys are lost when the process ends, and other processes do not
 * see them. Use it for tests, for a single long-lived process, and where repeated work does no harm.
 *
 * @example
 * once(memoryStore({ limit: 1000 }))
 *
 * @throws InvalidOptionError for a limit that is not a whole number above one, or an unknown option.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  refuseUnknownOptions('memoryStore()', options, ['clock', 'limit'])
  const { clock = systemClock, limit = 10_000 } = options
  if (!Number.isInteger(limit) || limit < 2)
    throw new InvalidOptionError(`memoryStore(): limit is ${limit}, expected a whole number above 1`)

  // Keys are kept in two generations, because sorting them by last use would cost time at each use. The older
  // generation is dropped as a whole, with its expired entries.
  const generation = Math.floor(limit / 2)
  let young = new Map<string, Entry>()
  let old = new Map<string, Entry>()

  const find = (key: string): Entry | undefined => {
    const entry = young.get(key) ?? old.get(key)
    return entry !== undefined && clock.now() < entry.until ? entry : undefined
  }
  const put = (key: string, value: string, ttl: number): void => {
    if (young.size >= generation && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, { value, until: clock.now() + ttl })
  }
  return notAnAnswer('a store', {
    get: async key => find(key)?.value,
    async setIfAbsent(key, value, ttl) {
      if (find(key) !== undefined) return false
      put(key, value, ttl)
      return true
    },
    async set(key, value, ttl) {
      put(key, value, ttl)
    },
    async delete(key) {
      young.delete(key)
      old.delete(key)
    },
  })
}
