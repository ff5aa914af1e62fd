import type { StoredUser, User, UserFilter, UserQuery } from '@signalbox/platform-user-pool/store'
import type { Query } from '../database.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly status: StoredUser['status']
  readonly enabled: boolean
  readonly attributes: string
  readonly password: string | null
  readonly password_expires: number | null
  readonly factors: string | null
  readonly sign_in_names: string
  readonly created: number
  readonly modified: number
  readonly revision: number
}

export async function userWithId(query: Query, pool: string, id: string): Promise<StoredUser | undefined> {
  const [row] = await query<Row>('select * from pool_users where pool = $1 and id = $2', [pool, id])
  return row && userOf(row)
}

/** Returns the account that signs in with a name. */
export async function userNamed(query: Query, pool: string, name: string): Promise<StoredUser | undefined> {
  // Looking up an unknown name takes as long as looking up a known one, so that clients cannot find out which users
  // exist.
  const [row] = await query<Row & { is_known: boolean }>(
    `with known as (select owner from pool_names where pool = $1 and name = $2)
     select u.*, exists (select from known) as is_known from pool_users u
     where u.pool = $1
       and u.id = coalesce((select owner from known), (select id from pool_users where pool = $1 limit 1))`,
    [pool, name],
  )
  const user = row && userOf(row)
  return row?.is_known === true ? user : undefined
}

export async function listUsers(
  query: Query,
  pool: string,
  { limit, after = '', filter, group }: UserQuery,
): Promise<readonly StoredUser[]> {
  const values: unknown[] = [pool, after, limit]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const condition = filter === undefined ? '' : `and ${conditionOf(filter, parameter)}`
  const member =
    group === undefined
      ? ''
      : `and exists (select from pool_members m where m.pool = u.pool and m.member = u.id and m.name = ${parameter(group)})`
  const rows = await query<Row>(
    `select * from pool_users u where pool = $1 and name > $2 ${condition} ${member} order by name limit $3`,
    values,
  )
  return rows.map(userOf)
}

/** Writes accounts and the names that they sign in with. */
export async function writeUsers(query: Query, pool: string, users: readonly User[]): Promise<void> {
  // The old names are deleted first, because a name may move from one account to another in the same change.
  await query('delete from pool_names where pool = $1 and owner = any($2)', [pool, users.map(({ id }) => id)])
  for (const user of users) {
    await query(
      `insert into pool_users as u values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1)
       on conflict (pool, id) do update set name = excluded.name, status = excluded.status, enabled = excluded.enabled,
         attributes = excluded.attributes, password = excluded.password, password_expires = excluded.password_expires,
         factors = excluded.factors, sign_in_names = excluded.sign_in_names, modified = excluded.modified,
         revision = u.revision + 1`,
      [
        pool,
        user.id,
        user.name,
        user.status,
        user.enabled,
        JSON.stringify(user.attributes),
        user.password ?? null,
        user.passwordExpires ?? null,
        user.factors === undefined ? null : JSON.stringify(user.factors),
        JSON.stringify(user.signInNames),
        user.created,
        user.modified,
      ],
    )
    await query('insert into pool_names select $1, name, $2 from unnest($3::text[]) as n(name)', [
      pool,
      user.id,
      user.signInNames,
    ])
  }
}

function userOf(row: Row): StoredUser {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    enabled: row.enabled,
    attributes: JSON.parse(row.attributes),
    password: row.password ?? undefined,
    passwordExpires: row.password_expires ?? undefined,
    factors: row.factors === null ? undefined : JSON.parse(row.factors),
    signInNames: JSON.parse(row.sign_in_names),
    created: row.created,
    modified: row.modified,
    revision: row.revision,
  }
}

const columns: { readonly [name: string]: string } = {
  username: 'name',
  sub: 'id',
  status: 'status',
  enabled: 'enabled::text',
}

function conditionOf({ name, value, isPrefix }: UserFilter, parameter: (value: unknown) => string): string {
  const column = columns[name]
  if (column === undefined) {
    // The attributes are compared as JSON text, because PostgreSQL cannot decode the escapes of NUL characters and of
    // lone surrogates. Within a JSON string, quotes are escaped, so that no value contains the text that is searched.
    const [field, text] = [JSON.stringify(name), JSON.stringify(value)]
    const wanted = `,${field}:${isPrefix ? text.slice(0, -1) : text}`
    return `strpos(overlay(attributes placing ',' from 1 for 1), ${parameter(wanted)}::text) > 0`
  }
  const wanted = `${parameter(value)}::text`
  return isPrefix ? `left(${column}, length(${wanted})) = ${wanted}` : `${column} = ${wanted}`
}
