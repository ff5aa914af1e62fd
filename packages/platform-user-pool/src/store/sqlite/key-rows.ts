import type { DatabaseSync } from 'node:sqlite'
import type { StoredKey } from '../user-pool-store.ts'

type Row = { readonly [column: string]: string | number | null }

/** Returns the operations on the signing keys in a database. */
export function keyRows(database: DatabaseSync) {
  const all = database.prepare('select * from keys where pool = ? order by created, id')
  const remove = database.prepare('delete from keys where pool = ?')
  const add = database.prepare('insert into keys values (?, ?, ?, ?, ?, ?, ?)')
  const read = (pool: string) => all.all(pool).map(row => keyOf(row as Row))
  return {
    all: read,
    replace(pool: string, keys: readonly StoredKey[], known: readonly string[]): boolean {
      const found = read(pool).map(({ id }) => id)
      if (found.length !== known.length || found.some(id => !known.includes(id))) return false
      remove.run(pool)
      for (const { id, use, state, key, created, expires } of keys)
        add.run(pool, id, use, state, key, created, expires ?? null)
      return true
    },
  }
}

function keyOf({ id, use, state, key, created, expires }: Row): StoredKey {
  return {
    id: id as string,
    use: use as StoredKey['use'],
    state: state as StoredKey['state'],
    key: key as string,
    created: created as number,
    expires: (expires as number | null) ?? undefined,
  }
}
