import type { DatabaseSync } from 'node:sqlite'
import type { StoredPool } from '../user-pool-store.ts'

/** The tables whose rows belong to a pool. */
const tables = ['users', 'names', 'credentials', 'counts', 'groups', 'members', 'messages', 'keys']

/** Returns the operations on the API-created pools in a database. */
export function poolRows(database: DatabaseSync) {
  const all = database.prepare('select id, description, revision from pools order by id')
  const add = database.prepare('insert or ignore into pools values (?, ?, 1)')
  const change = database.prepare(
    'update pools set description = ?, revision = revision + 1 where id = ? and revision = ?',
  )
  const remove = database.prepare('delete from pools where id = ?')
  const empty = tables.map(table => database.prepare(`delete from ${table} where pool = ?`))
  const clear = [
    'delete from keys where pool in (select id from pools)',
    ...['pools', ...tables.filter(table => table !== 'keys')].map(table => `delete from ${table}`),
  ].map(each => database.prepare(each))
  return {
    all: () => all.all() as unknown as StoredPool[],
    set({ id, description }: Omit<StoredPool, 'revision'>, was: number | undefined): boolean {
      const { changes } = was === undefined ? add.run(id, description) : change.run(description, id, was)
      return changes === 1
    },
    remove(id: string): void {
      remove.run(id)
      for (const statement of empty) statement.run(id)
    },
    clear(): void {
      for (const statement of clear) statement.run()
    },
  }
}
