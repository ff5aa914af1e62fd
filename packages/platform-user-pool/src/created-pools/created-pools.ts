import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { UserPoolStore } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import type { CreatedPool } from './created-pool.ts'
import { settingsOfCreatedPool } from './settings.ts'

/** The pools created through the API, which are stored and also kept in memory. */
export interface CreatedPools {
  /** Reads the pools from the store, to which other platforms write, too. */
  readonly load: () => Promise<void>
  readonly all: () => readonly CreatedPool[]
  readonly settings: () => readonly PoolSettings[]
  /** Returns a pool, or undefined if it was not created through the API. */
  readonly get: (id: string) => CreatedPool | undefined
  readonly add: (pool: CreatedPool) => Promise<void>
  /**
   * Changes a pool. The callback gets the current pool. If the callback throws, the pool stays unchanged, and `change`
   * rejects with the same error.
   */
  readonly change: (id: string, change: (pool: CreatedPool) => CreatedPool) => Promise<CreatedPool>
  readonly remove: (id: string) => Promise<void>
}

interface Known {
  readonly pool: CreatedPool
  readonly settings: PoolSettings
  readonly revision: number
}

/**
 * Keeps the created pools in memory, and writes changes to the store.
 * @param changed called after the pools are loaded, and after every change
 */
export function createdPools(
  store: Pick<UserPoolStore, 'pools' | 'setPool' | 'removePool'>,
  changed: () => void,
): CreatedPools {
  let known = new Map<string, Known>()
  let reads = 0
  let latest = 0
  const load = async () => {
    const read = ++reads
    const stored = await store.pools()
    // A result that comes late must not replace the result of a later read.
    if (read < latest) return
    latest = read
    known = new Map(
      stored.map(({ id, description, revision }) => {
        const pool = JSON.parse(description) as CreatedPool
        return [id, { pool, settings: settingsOfCreatedPool(pool), revision }]
      }),
    )
    changed()
  }
  return {
    load,
    all: () => [...known.values()].map(({ pool }) => pool),
    settings: () => [...known.values()].map(({ settings }) => settings),
    get: id => known.get(id)?.pool,
    async add(pool) {
      await store.setPool({ id: pool.id, description: JSON.stringify(pool) }, undefined)
      await load()
    },
    async change(id, change) {
      for (;;) {
        const found = known.get(id)
        if (found === undefined)
          throw new UserPoolError('ResourceNotFoundException', `User pool ${id} does not exist.`)
        const pool = change(found.pool)
        const isDone = await store.setPool({ id, description: JSON.stringify(pool) }, found.revision)
        await load()
        if (isDone) return pool
      }
    },
    async remove(id) {
      await store.removePool(id)
      await load()
    },
  }
}
