import type { KeyTable, SealedKey, StoredKey } from '@signalbox/platform-runtime/access'
import type { Database } from '../database.ts'
import type { PeriodicWork } from '../periodic-work.ts'

/** The interval in milliseconds at which a platform looks for changes of keys by other platforms. */
const interval = 1000

type Nullable<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> | null }

/**
 * Opens the access keys of all platforms that share a database. A platform keeps them in memory, because
 * every request needs one. While the database is unreachable, the keys in memory stay valid.
 */
export async function keyTable(
  { query }: Database,
  periodic: PeriodicWork,
): Promise<KeyTable & { readonly close: () => Promise<void> }> {
  let version = -1
  let known = new Map<string, SealedKey>()

  const refresh = async () => {
    type Row = Nullable<Omit<SealedKey, 'expires'>> & {
      readonly version: number
      readonly expires: number | null
    }
    const rows = await query<Row>(
      `select version, id, identity, sealed, created, expires
       from access_keys_version left join access_keys on sealed is not null where version <> $1`,
      [version],
    )
    if (rows.length === 0) return
    const before = known
    version = rows[0]!.version
    known = new Map()
    for (const { id, identity, sealed, created, expires } of rows) {
      if (id === null) continue
      const key = {
        id,
        identity: identity!,
        sealed: sealed!,
        created: created!,
        expires: expires ?? undefined,
      }
      const same = before.get(id)
      known.set(id, same?.sealed === key.sealed && same.expires === key.expires ? same : key)
    }
  }
  /**
   * Runs a statement that changes `access_keys`, and increments the version if a row has changed. Returns whether a
   * row has changed.
   */
  const change = async (statement: string, values: readonly unknown[]) => {
    const changed = await query(
      `with changed as (${statement} returning 1)
       update access_keys_version set version = version + 1 where exists (select from changed) returning 1`,
      values,
    )
    await refresh()
    return changed.length > 0
  }
  await refresh()
  const stop = periodic.each('access keys', interval, refresh)

  return {
    async insert({ id, identity, sealed, created }) {
      await change('insert into access_keys (id, identity, sealed, created) values ($1, $2, $3, $4)', [
        id,
        identity,
        sealed,
        created,
      ])
    },
    async list() {
      const rows = await query<Nullable<StoredKey>>(
        'select id, identity, created, expires, revoked from access_keys order by created, id',
      )
      return rows.map(({ id, identity, created, expires, revoked }) => ({
        ...{ id: id!, identity: identity!, created: created! },
        expires: expires ?? undefined,
        revoked: revoked ?? undefined,
      }))
    },
    expire: (id, at) =>
      change('update access_keys set expires = $2 where id = $1 and revoked is null', [id, at]),
    revoke: (id, at) =>
      change('update access_keys set revoked = $2, sealed = null where id = $1 and revoked is null', [
        id,
        at,
      ]),
    find: id => known.get(id),
    close: stop,
  }
}
