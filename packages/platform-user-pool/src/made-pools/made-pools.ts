import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { UserPoolStore } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import type { MadePool } from './made-pool.ts'
import { settingsOfMade } from './settings.ts'

/** The pools that were made by the API: in the store, and in memory. */
export interface MadePools {
  /** Reads them from the store. */
  readonly load: () => Promise<void>
  readonly all: () => readonly MadePool[]
  readonly settings: () => readonly PoolSettings[]
  /** Undefined for a pool that the API did not make. */
  readonly get: (id: string) => MadePool | undefined
  readonly add: (pool: MadePool) => Promise<void>
  /**
   * Changes a pool. `change` gets the current state. When it throws, this throws the same error, and nothing changes.
   */
  readonly change: (id: string, change: (pool: MadePool) => MadePool) => Promise<MadePool>
  readonly remove: (id: string) => Promise<void>
}

interface Known {
  readonly pool: MadePool
  readonly settings: PoolSettings
  readonly revision: number
}

/** @param changed called after every change, with all pools */
export function madePools(
  store: Pick<UserPoolStore, 'pools' | 'setPool' | 'removePool'>,
  changed: () => void,
): MadePools {
  let known = new Map<string, Known>()
  const load = async () => {
    const stored = await store.pools()
    known = new Map(
      stored.map(({ id, description, revision }) => {
        const pool = JSON.parse(description) as MadePool
        return [id, { pool, settings: settingsOfMade(pool), revision }]
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
