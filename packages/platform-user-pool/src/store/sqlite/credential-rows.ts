import type { DatabaseSync } from 'node:sqlite'
import type { Credential } from '../user-pool-store.ts'

/** The number of ended rows that are deleted when new ones are added. */
const cleanedAtOnce = 20

/** The codes, sessions and tokens of a database. */
export function credentialRows(database: DatabaseSync) {
  const get = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and kind = ? and id = ? and expires > ?',
  )
  const of = database.prepare(
    'select kind, id, user, expires, value from credentials where pool = ? and user = ? and kind = ? and expires > ? order by id',
  )
  const put = database.prepare('insert or replace into credentials values (?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('delete from credentials where pool = ? and kind = ? and id = ?')
  const removeOf = database.prepare('delete from credentials where pool = ? and user = ? and kind = ?')
  const removeAllOf = database.prepare('delete from credentials where pool = ? and user = ?')
  const clean = database.prepare(
    `delete from credentials where (pool, kind, id) in (select pool, kind, id from credentials where expires <= ? limit ${cleanedAtOnce})`,
  )
  return {
    get: (pool: string, kind: Credential['kind'], id: string, now: number) =>
      get.get(pool, kind, id, now) as unknown as Credential | undefined,
    of: (pool: string, user: string, kind: Credential['kind'], now: number) =>
      of.all(pool, user, kind, now) as unknown as Credential[],
    /** Deletes some ended rows: more than are added at once, so that they do not pile up. */
    clean: (now: number): void => void clean.run(now),
    put(pool: string, { kind, id, user, expires, value }: Credential): void {
      put.run(pool, kind, id, user, expires, value)
    },
    remove: (pool: string, kind: Credential['kind'], id: string): void => void remove.run(pool, kind, id),
    removeOf: (pool: string, user: string, kind: Credential['kind']): void =>
      void removeOf.run(pool, user, kind),
    removeAllOf: (pool: string, user: string): void => void removeAllOf.run(pool, user),
  }
}
