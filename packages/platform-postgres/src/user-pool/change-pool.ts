import { createHash } from 'node:crypto'
import {
  type Change,
  type Credential,
  lockTime,
  longestLock,
  type Refusal,
} from '@signalbox/platform-user-pool/store'
import type { Query } from '../database.ts'
import { writeUsers } from './user-rows.ts'

/**
 * The number of expired rows that are deleted whenever a change adds rows. It exceeds the number of added rows, so
 * expired rows do not pile up.
 */
const cleanedAtOnce = 20

/** The number of latest messages that a pool keeps. */
const keptMessages = 1000

/**
 * Makes a change in a transaction. It first locks everything that the change reads or writes, so that two changes
 * that share data run one after the other. Then it checks the conditions of the change, and writes.
 * @param given the time that a test sets, or null to use the database clock
 * @param platformId identifies this platform, which delivers the new messages
 */
export async function changePool(
  query: Query,
  change: Change,
  given: number | null,
  platformId: string,
): Promise<Refusal | undefined> {
  await query('select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as k(key)', [locksOf(change)])
  const [{ now }] = (await query<{ now: number }>('select time_of($1) as now', [given])) as [{ now: number }]
  const refusal = await refusalOf(query, change, now)
  if (refusal === undefined) await write(query, change, now, platformId)
  return refusal
}

/**
 * Returns a lock number for everything that a change reads or writes. The numbers are sorted, so that changes
 * cannot deadlock.
 */
function locksOf(change: Change): readonly bigint[] {
  const { pool, users = [], unchanged, removedUser, uses = [], needs = [], lacks = [] } = change
  const { adds = [], puts = [], ends = [], messages = [], attempt, group, removedGroup, member } = change
  const credentials = [
    ...uses,
    ...needs,
    ...lacks,
    ...adds,
    ...puts,
    ...ends.flatMap(end => ('id' in end ? end : [])),
  ]
  const owners = [
    ...users.map(({ user }) => user.id),
    ...[...adds, ...puts, ...messages].map(({ user }) => user),
    ...ends.flatMap(end => ('id' in end ? [] : end.user)),
    ...[unchanged?.id, removedUser?.id, member?.user].filter(id => id !== undefined),
  ]
  const texts = [
    ...owners.map(id => `user ${id}`),
    ...users.flatMap(({ user }) => user.signInNames.map(name => `name ${name}`)),
    ...credentials.map(({ kind, id }) => `${kind} ${id}`),
    ...[group?.group.name, removedGroup, member?.group].flatMap(name =>
      name === undefined ? [] : `group ${name}`,
    ),
    ...users.flatMap(({ groups: joined = [] }) => joined.map(name => `group ${name}`)),
    ...(attempt === undefined ? [] : [`attempt ${attempt.key}`]),
  ]
  const numbers = new Set(texts.map(text => lockNumber(`${pool} ${text}`)))
  return [...numbers].sort((a, b) => (a < b ? -1 : 1))
}

export function lockNumber(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigInt64BE()
}

async function refusalOf(query: Query, change: Change, now: number): Promise<Refusal | undefined> {
  const { pool, users = [], removedUser, unchanged, uses = [], needs = [], lacks = [], adds = [] } = change
  const { attempt, group, removedGroup, member } = change
  if (attempt !== undefined && (await isLocked(query, pool, attempt.key, now))) return 'locked'
  const asked = [...uses, ...needs, ...lacks, ...adds]
  if (asked.length > 0) {
    const rows = await query<Pick<Credential, 'kind' | 'id' | 'value'>>(
      `select c.kind, c.id, c.value from pool_credentials c
       join unnest($2::text[], $3::text[]) as a(kind, id) on c.kind = a.kind and c.id = a.id
       where c.pool = $1 and c.expires > $4`,
      [pool, asked.map(({ kind }) => kind), asked.map(({ id }) => id), now],
    )
    const stored = new Map(rows.map(({ kind, id, value }) => [`${kind} ${id}`, value]))
    const storedValue = ({ kind, id }: Pick<Credential, 'kind' | 'id'>) => stored.get(`${kind} ${id}`)
    for (const use of uses) {
      const found = storedValue(use)
      if (found === undefined || (use.value !== undefined && found !== use.value)) return 'gone'
    }
    if (needs.some(each => storedValue(each) === undefined)) return 'gone'
    if ([...lacks, ...adds].some(each => storedValue(each) !== undefined)) return 'gone'
  }
  const revisions = [
    ...(unchanged === undefined ? [] : [unchanged]),
    ...(removedUser === undefined ? [] : [removedUser]),
    ...users.map(({ user, was }) => ({ id: user.id, was })),
  ]
  const memberId = member?.isIn === true ? member.user : undefined
  const ids = [...revisions.map(({ id }) => id), ...(memberId === undefined ? [] : [memberId])]
  const found = new Map<string, number>()
  if (ids.length > 0)
    for (const { id, revision } of await query<{ id: string; revision: number }>(
      'select id, revision from pool_users where pool = $1 and id = any($2)',
      [pool, ids],
    ))
      found.set(id, revision)
  if (revisions.some(({ id, was }) => found.get(id) !== was)) return 'changed'
  const names = users.flatMap(({ user }) => user.signInNames)
  if (names.length > 0) {
    const taken = await query(
      'select from pool_names where pool = $1 and name = any($2) and owner <> all($3) limit 1',
      [pool, names, users.map(({ user }) => user.id)],
    )
    if (taken.length > 0) return 'name taken'
  }
  const hasGroup = async (name: string) =>
    (await query('select from pool_groups where pool = $1 and name = $2', [pool, name])).length > 0
  if (group !== undefined && (await hasGroup(group.group.name)) === group.isNew)
    return group.isNew ? 'group taken' : 'changed'
  if (removedGroup !== undefined && !(await hasGroup(removedGroup))) return 'changed'
  if (member?.isIn && !((await hasGroup(member.group)) && found.has(member.user))) return 'changed'
  return undefined
}

async function write(query: Query, change: Change, now: number, platformId: string): Promise<void> {
  const { pool, users = [], removedUser, attempt, group, removedGroup, member } = change
  const { uses = [], ends = [], adds = [], puts = [], messages = [] } = change
  const removed = [...uses, ...ends.flatMap(end => ('id' in end ? end : []))]
  if (removed.length > 0)
    await query(
      `delete from pool_credentials c using unnest($2::text[], $3::text[]) as r(kind, id)
       where c.pool = $1 and c.kind = r.kind and c.id = r.id`,
      [pool, removed.map(({ kind }) => kind), removed.map(({ id }) => id)],
    )
  for (const end of ends)
    if (!('id' in end))
      await query('delete from pool_credentials where pool = $1 and owner = $2 and kind = any($3)', [
        pool,
        end.user,
        end.kinds,
      ])
  const added = [...adds, ...puts]
  if (added.length > 0) {
    await query(
      `delete from pool_credentials where (pool, kind, id) in (select pool, kind, id from pool_credentials
         where expires <= $1 order by expires limit ${cleanedAtOnce} for update skip locked)`,
      [now],
    )
    for (const { kind, id, user, expires, value } of added)
      await query(
        `insert into pool_credentials values ($1, $2, $3, $4, $5, $6) on conflict (pool, kind, id)
         do update set owner = excluded.owner, expires = excluded.expires, value = excluded.value`,
        // The lifetime is measured by the database clock, because the platform clock may differ.
        [pool, kind, id, user, expires - change.now + now, value],
      )
  }
  if (users.length > 0)
    await writeUsers(
      query,
      pool,
      users.map(({ user }) => user),
    )
  for (const { user, groups = [] } of users)
    if (groups.length > 0)
      await query(
        'insert into pool_members select $1, $2, name from pool_groups where pool = $1 and name = any($3) on conflict do nothing',
        [pool, user.id, groups],
      )
  if (removedUser !== undefined) {
    const { id } = removedUser
    for (const table of ['pool_names', 'pool_credentials', 'pool_messages'])
      await query(`delete from ${table} where pool = $1 and owner = $2`, [pool, id])
    await query('delete from pool_members where pool = $1 and member = $2', [pool, id])
    await query('delete from pool_users where pool = $1 and id = $2', [pool, id])
  }
  for (const message of messages) {
    const { id, user, occasion, medium, to, state, contents, ends: end, created } = message
    await query(
      `insert into pool_messages (pool, id, owner, occasion, medium, recipient, state, contents, ends, created, claimed_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [pool, id, user, occasion, medium, to, state, contents, end - change.now + now, created, platformId],
    )
  }
  if (messages.length > 0)
    await query(
      `delete from pool_messages where pool = $1 and state <> 'waiting' and number <=
         (select number from pool_messages where pool = $1 order by number desc limit 1 offset $2)`,
      [pool, keptMessages],
    )
  if (attempt?.isRight === true)
    await query('delete from pool_counts where pool = $1 and key = $2', [pool, attempt.key])
  if (attempt?.isRight === false) {
    await cleanCounts(query, now)
    await query(
      `insert into pool_counts as c values ($1, $2, 1, $3, $3::bigint + $4::bigint) on conflict (pool, key) do update
       set count = case when c.ends <= excluded.since then 1 else c.count + 1 end, since = excluded.since, ends = excluded.ends`,
      [pool, attempt.key, now, longestLock],
    )
  }
  if (group !== undefined) {
    const { name, description, precedence, role, created, modified } = group.group
    await query(
      `insert into pool_groups values ($1, $2, $3, $4, $5, $6, $7) on conflict (pool, name) do update set
         description = excluded.description, precedence = excluded.precedence, role = excluded.role, modified = excluded.modified`,
      [pool, name, description ?? null, precedence ?? null, role ?? null, created, modified],
    )
  }
  if (removedGroup !== undefined)
    for (const table of ['pool_groups', 'pool_members'])
      await query(`delete from ${table} where pool = $1 and name = $2`, [pool, removedGroup])
  if (member?.isIn === true)
    await query('insert into pool_members values ($1, $2, $3) on conflict do nothing', [
      pool,
      member.user,
      member.group,
    ])
  if (member?.isIn === false)
    await query('delete from pool_members where pool = $1 and member = $2 and name = $3', [
      pool,
      member.user,
      member.group,
    ])
}

/** Returns whether an account is locked after wrong passwords. */
export async function isLocked(query: Query, pool: string, key: string, now: number): Promise<boolean> {
  const [row] = await query<{ count: number; since: number }>(
    'select count, since from pool_counts where pool = $1 and key = $2 and ends > $3',
    [pool, key, now],
  )
  return row !== undefined && row.since + lockTime(row.count) > now
}

/** Deletes some expired counts. Each call deletes more counts than a change adds, so that they do not pile up. */
export async function cleanCounts(query: Query, now: number): Promise<void> {
  await query(
    `delete from pool_counts where (pool, key) in
       (select pool, key from pool_counts where ends <= $1 order by ends limit 20 for update skip locked)`,
    [now],
  )
}
