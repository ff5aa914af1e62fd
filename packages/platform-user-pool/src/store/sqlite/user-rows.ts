import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { StoredUser, User, UserFilter, UserQuery } from '../user-pool-store.ts'

/** The number of users that a search reads at a time. */
const searchedAtOnce = 500

type Row = { readonly [column: string]: string | number | null }

/** Returns the operations on the accounts and sign-in names in a database. */
export function userRows(database: DatabaseSync) {
  const get = database.prepare('select * from users where pool = ? and id = ?')
  const any = database.prepare('select * from users where pool = ? limit 1')
  const ownerOf = database.prepare('select user from names where pool = ? and name = ?')
  const count = database.prepare('select count(*) as count from users where pool = ?')
  const revisionOf = database.prepare('select revision from users where pool = ? and id = ?')
  const nextStep = database.prepare(
    'select name from users where pool = ? and name > ? order by name limit 1 offset ?',
  )
  const write = database.prepare(
    `insert into users (pool, id, name, status, enabled, attributes, password, password_expires, factors, sign_in_names, created, modified, revision)
     values (:pool, :id, :name, :status, :enabled, :attributes, :password, :passwordExpires, :factors, :signInNames, :created, :modified, 1)
     on conflict do update set name = excluded.name, status = excluded.status, enabled = excluded.enabled, attributes = excluded.attributes,
       password = excluded.password, password_expires = excluded.password_expires, factors = excluded.factors, sign_in_names = excluded.sign_in_names,
       modified = excluded.modified, revision = revision + 1`,
  )
  const remove = database.prepare('delete from users where pool = ? and id = ?')
  const addName = database.prepare('insert into names values (?, ?, ?)')
  const removeNames = database.prepare('delete from names where pool = ? and user = ?')

  /** Lists users up to the name `last`, if it is defined. */
  const part = (pool: string, { limit, after = '', filter, group }: UserQuery, last?: string) => {
    const condition = filter === undefined ? { sql: '', values: [] } : conditionOf(filter)
    const end = last === undefined ? { sql: '', values: [] } : { sql: 'and name <= ?', values: [last] }
    const inGroup =
      group === undefined
        ? ''
        : 'and exists (select 1 from members where members.pool = users.pool and members.user = users.id and members.name = ?)'
    const statement = database.prepare(
      `select * from users where pool = ? and name > ? ${end.sql} ${condition.sql} ${inGroup} order by name limit ?`,
    )
    const groups = group === undefined ? [] : [group]
    const values = [pool, after, ...end.values, ...condition.values, ...groups, limit]
    return statement.all(...values).map(row => userOf(row as Row)!)
  }

  const read = (pool: string, id: string) => userOf(get.get(pool, id) as Row | undefined)
  const owner = (pool: string, name: string) => ownerOf.get(pool, name)?.user as string | undefined
  return {
    get: read,
    owner,
    named(pool: string, name: string): StoredUser | undefined {
      const id = owner(pool, name)
      if (id !== undefined) return read(pool, id)
      // Unknown names take as long to look up as known ones, so that clients cannot find out which users exist.
      userOf(any.get(pool) as Row | undefined)
      return undefined
    },
    count: (pool: string): number => Number(count.get(pool)!.count),
    revision: (pool: string, id: string) => revisionOf.get(pool, id)?.revision as number | undefined,
    /**
     * Lists users in the order of their names. A search reads a limited number of users at a time, because one that
     * finds few users reads all of them, and other requests would wait.
     */
    async list(pool: string, query: UserQuery): Promise<StoredUser[]> {
      if (query.filter === undefined && query.group === undefined) return part(pool, query)
      const found: StoredUser[] = []
      let after = query.after ?? ''
      for (;;) {
        const last = nextStep.get(pool, after, searchedAtOnce - 1)?.name as string | undefined
        found.push(...part(pool, { ...query, after, limit: query.limit - found.length }, last))
        if (last === undefined || found.length >= query.limit) return found
        after = last
        await setImmediate()
      }
    },
    /** Removes an account's sign-in names, so that other accounts can take them. */
    freeNames: (pool: string, id: string): void => void removeNames.run(pool, id),
    write(pool: string, user: User): void {
      write.run({
        pool,
        id: user.id,
        name: user.name,
        status: user.status,
        enabled: user.enabled ? 1 : 0,
        attributes: JSON.stringify(user.attributes),
        password: user.password ?? null,
        passwordExpires: user.passwordExpires ?? null,
        factors: user.factors === undefined ? null : JSON.stringify(user.factors),
        signInNames: JSON.stringify(user.signInNames),
        created: user.created,
        modified: user.modified,
      })
      for (const name of user.signInNames) addName.run(pool, name, user.id)
    },
    remove: (pool: string, id: string): void => void remove.run(pool, id),
  }
}

function userOf(row: Row | undefined): StoredUser | undefined {
  if (row === undefined) return undefined
  return {
    id: row.id as string,
    name: row.name as string,
    status: row.status as StoredUser['status'],
    enabled: row.enabled === 1,
    attributes: JSON.parse(row.attributes as string),
    password: (row.password as string | null) ?? undefined,
    passwordExpires: (row.password_expires as number | null) ?? undefined,
    factors: row.factors == null ? undefined : JSON.parse(row.factors as string),
    signInNames: JSON.parse(row.sign_in_names as string),
    created: row.created as number,
    modified: row.modified as number,
    revision: row.revision as number,
  }
}

const columns: { readonly [name: string]: string } = {
  username: 'name',
  sub: 'id',
  status: 'status',
  enabled: "iif(enabled, 'true', 'false')",
}

function conditionOf({ name, value, isPrefix }: UserFilter): {
  readonly sql: string
  readonly values: string[]
} {
  const column = columns[name]
  const path = column === undefined ? [`$.${JSON.stringify(name)}`] : []
  const found = column ?? 'json_extract(attributes, ?)'
  return isPrefix
    ? { sql: `and substr(${found}, 1, length(?)) = ?`, values: [...path, value, value] }
    : { sql: `and ${found} = ?`, values: [...path, value] }
}
