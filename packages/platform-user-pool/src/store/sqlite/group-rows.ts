import type { DatabaseSync } from 'node:sqlite'
import type { Group } from '../user-pool-store.ts'

type Row = { readonly [column: string]: string | number | null }

const columns = 'name, description, precedence, role, created, modified'

/** Returns the operations on the groups and group members in a database. */
export function groupRows(database: DatabaseSync) {
  const all = database.prepare(`select ${columns} from groups where pool = ? order by name`)
  const of = database.prepare(
    `select ${columns} from groups where pool = :pool and name in (select name from members where pool = :pool and user = :user)
     order by precedence is null, precedence, name`,
  )
  const get = database.prepare('select 1 from groups where pool = ? and name = ?')
  const put = database.prepare(
    `insert into groups values (?, ?, ?, ?, ?, ?, ?)
     on conflict do update set description = excluded.description, precedence = excluded.precedence, role = excluded.role, modified = excluded.modified`,
  )
  const remove = database.prepare('delete from groups where pool = ? and name = ?')
  const empty = database.prepare('delete from members where pool = ? and name = ?')
  const join = database.prepare('insert or ignore into members values (?, ?, ?)')
  const leave = database.prepare('delete from members where pool = ? and user = ? and name = ?')
  const leaveAll = database.prepare('delete from members where pool = ? and user = ?')
  return {
    all: (pool: string): Group[] => all.all(pool).map(row => groupOf(row as Row)),
    of: (pool: string, user: string): Group[] => of.all({ pool, user }).map(row => groupOf(row as Row)),
    has: (pool: string, name: string): boolean => get.get(pool, name) !== undefined,
    put(pool: string, { name, description, precedence, role, created, modified }: Group): void {
      put.run(pool, name, description ?? null, precedence ?? null, role ?? null, created, modified)
    },
    remove(pool: string, name: string): void {
      remove.run(pool, name)
      empty.run(pool, name)
    },
    join: (pool: string, user: string, name: string): void => void join.run(pool, user, name),
    leave: (pool: string, user: string, name: string): void => void leave.run(pool, user, name),
    leaveAll: (pool: string, user: string): void => void leaveAll.run(pool, user),
  }
}

function groupOf({ name, description, precedence, role, created, modified }: Row): Group {
  return {
    name: name as string,
    description: (description as string | null) ?? undefined,
    precedence: (precedence as number | null) ?? undefined,
    role: (role as string | null) ?? undefined,
    created: created as number,
    modified: modified as number,
  }
}
