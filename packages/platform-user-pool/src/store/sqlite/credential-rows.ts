import type { DatabaseSync } from 'node:sqlite'
import type { Credential } from '../user-pool-store.ts'

/** The number of changes with new rows between two sweeps. A sweep deletes expired rows. */
const changesPerSweep = 16

/** The number of sweeps at once when the disk is nearly full. */
const sweepsAtOnce = 10

/**
 * The number of rows that a sweep examines. It exceeds the number of rows that are added between two sweeps, so expired
 * rows do not accumulate. An index by time would find them at once, but it would be a quarter of the data that each
 * sign-in writes.
 */
const rowsPerSweep = 400

type Key = readonly [pool: string, kind: string, id: string]

const beforeAll: Key = ['', '', '']

/** Returns the operations on the codes, sessions and tokens in a database. */
export function credentialRows(database: DatabaseSync) {
  const get = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and kind = ? and id = ? and expires > ?',
  )
  const of = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and user = ? and kind = ? and expires > ? order by id',
  )
  const latest = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and kind = ? and expires > ? order by expires desc, id limit ?',
  )
  const next = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and kind = ? and expires > ? order by expires, id limit 1',
  )
  const count = database.prepare(
    'select count(*) as count from credentials where pool = ? and kind = ? and expires > ?',
  )
  const put = database.prepare('insert or replace into credentials values (?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('delete from credentials where pool = ? and kind = ? and id = ?')
  const removeOf = database.prepare('delete from credentials where pool = ? and user = ? and kind = ?')
  const removeAllOf = database.prepare('delete from credentials where pool = ? and user = ?')
  const sweepEnd = database.prepare(
    `select pool, kind, id from credentials where (pool, kind, id) > (?, ?, ?) order by pool, kind, id limit 1 offset ${rowsPerSweep - 1}`,
  )
  const sweep = database.prepare(
    'delete from credentials where (pool, kind, id) > (?, ?, ?) and (pool, kind, id) <= (?, ?, ?) and expires <= ?',
  )
  const sweepLast = database.prepare(
    'delete from credentials where (pool, kind, id) > (?, ?, ?) and expires <= ?',
  )
  let swept = beforeAll
  let changesUntilSweep = 0

  /** Deletes some expired rows. Each sweep continues where the previous one ended. */
  const sweepSome = (now: number) => {
    const end = sweepEnd.get(...swept) as { pool: string; kind: string; id: string } | undefined
    if (end === undefined) {
      sweepLast.run(...swept, now)
      swept = beforeAll
      return
    }
    const last: Key = [end.pool, end.kind, end.id]
    sweep.run(...swept, ...last, now)
    swept = last
  }

  return {
    get: (pool: string, kind: Credential['kind'], id: string, now: number) =>
      get.get(pool, kind, id, now) as unknown as Credential | undefined,
    of: (pool: string, user: string, kind: Credential['kind'], now: number) =>
      of.all(pool, user, kind, now) as unknown as Credential[],
    latest: (pool: string, kind: Credential['kind'], now: number, most: number) =>
      latest.all(pool, kind, now, most) as unknown as Credential[],
    next: (pool: string, kind: Credential['kind'], now: number) =>
      next.get(pool, kind, now) as unknown as Credential | undefined,
    count: (pool: string, kind: Credential['kind'], now: number) =>
      (count.get(pool, kind, now) as unknown as { readonly count: number }).count,
    /**
     * Deletes some expired rows from time to time. Every change that adds rows must call this function.
     */
    clean(now: number): void {
      if (changesUntilSweep-- > 0) return
      changesUntilSweep = changesPerSweep - 1
      sweepSome(now)
    },
    /** Deletes many expired rows now. */
    sweep(now: number): void {
      for (let sweeps = 0; sweeps < sweepsAtOnce; sweeps++) sweepSome(now)
    },
    put(pool: string, { kind, id, user, expires, value }: Credential): void {
      put.run(pool, kind, id, user, expires, value)
    },
    remove: (pool: string, kind: Credential['kind'], id: string): void => void remove.run(pool, kind, id),
    removeOf: (pool: string, user: string, kind: Credential['kind']): void =>
      void removeOf.run(pool, user, kind),
    removeAllOf: (pool: string, user: string): void => void removeAllOf.run(pool, user),
  }
}
