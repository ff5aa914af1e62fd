import {
  type Credential,
  type Group,
  type Message,
  type StoredKey,
  type StoredPool,
  UserPoolError,
  type UserPoolStore,
} from '@signalbox/platform-user-pool/store'
import type { Database, Query } from '../database.ts'
import { DatabaseUnavailableError } from '../database-error.ts'
import { changePool, cleanCounts, isLocked, lockNumber } from './change-pool.ts'
import { listUsers, userNamed, userWithId } from './user-rows.ts'

/** The tables whose rows belong to a pool. */
const tables = ['users', 'names', 'credentials', 'counts', 'groups', 'members', 'messages', 'keys']

const messageColumns =
  'id, owner as "user", occasion, medium, recipient as "to", state, contents, ends, created'
const groupColumns = 'name, description, precedence, role, created, modified'

/**
 * Opens user pools in PostgreSQL, which several platforms share. The database clock decides whether a code, a
 * session or a lock has expired.
 * @param platformId identifies this platform
 * @param usesGivenTime whether the caller's times are used instead of the database clock, as in a test
 */
export function userPoolStore(database: Database, platformId: string, usesGivenTime = false): UserPoolStore {
  const query: Query = (text, values) => available(database.query(text, values))
  const transaction = <T>(work: (run: Query) => Promise<T>) => available(database.transaction(work))
  const at = (now: number) => (usesGivenTime ? Math.floor(now) : null)
  const timeFor = async (run: Query, now: number) =>
    (await run<{ t: number }>('select time_of($1) as t', [at(now)]))[0]!.t

  const credentials = async (condition: string, values: readonly unknown[], now: number) => {
    const rows = await query<Credential & { left: number }>(
      `select kind, id, owner as "user", value, expires - t as left from time_of($1) t, pool_credentials
       where expires > t and ${condition}`,
      [at(now), ...values],
    )
    return rows.map(({ left, ...rest }): Credential => ({ ...rest, expires: now + left }))
  }

  return {
    user: (pool, id) => userWithId(query, pool, id),
    userNamed: (pool, name) => userNamed(query, pool, name),
    users: (pool, asked) => listUsers(query, pool, asked),
    async countUsers(pool) {
      const [row] = await query<{ count: number }>(
        'select count(*) as count from pool_users where pool = $1',
        [pool],
      )
      return row!.count
    },
    credential: async (pool, kind, id, now) =>
      (await credentials('pool = $2 and kind = $3 and id = $4', [pool, kind, id], now))[0],
    credentialsOf: (pool, user, kind, now) =>
      credentials('pool = $2 and owner = $3 and kind = $4 order by id', [pool, user, kind], now),
    latestCredentials: (pool, kind, now, most) =>
      credentials('pool = $2 and kind = $3 order by expires desc, id limit $4', [pool, kind, most], now),
    async countCredentials(pool, kind, now) {
      const [row] = await query<{ count: number }>(
        'select count(*) as count from time_of($1) t, pool_credentials where expires > t and pool = $2 and kind = $3',
        [at(now), pool, kind],
      )
      return row!.count
    },
    nextToExpire: async (pool, kind, now) =>
      (await credentials('pool = $2 and kind = $3 order by expires, id limit 1', [pool, kind], now))[0],
    isLocked: async (pool, key, now) => isLocked(query, pool, key, await timeFor(query, now)),

    count: (pool, key, { most, window }, now) =>
      transaction(async run => {
        await run('select pg_advisory_xact_lock($1)', [lockNumber(`${pool} count ${key}`)])
        const t = await timeFor(run, now)
        const [row] = await run<{ count: number }>(
          'select count from pool_counts where pool = $1 and key = $2 and ends > $3',
          [pool, key, t],
        )
        if (row !== undefined && row.count >= most) return false
        await cleanCounts(run, t)
        await run(
          `insert into pool_counts as c values ($1, $2, 1, $3, $3::bigint + $4::bigint) on conflict (pool, key) do update set
             count = case when c.ends <= excluded.since then 1 else c.count + 1 end,
             since = case when c.ends <= excluded.since then excluded.since else c.since end,
             ends = case when c.ends <= excluded.since then excluded.ends else c.ends end`,
          [pool, key, t, window],
        )
        return true
      }),

    async groups(pool) {
      return (
        await query<GroupRow>(`select ${groupColumns} from pool_groups where pool = $1 order by name`, [pool])
      ).map(groupOf)
    },
    async groupsOf(pool, user) {
      const rows = await query<GroupRow>(
        `select ${groupColumns} from pool_groups where pool = $1
           and name in (select name from pool_members where pool = $1 and member = $2)
         order by precedence nulls last, name`,
        [pool, user],
      )
      return rows.map(groupOf)
    },

    messages: pool =>
      query<Message>(
        `select ${messageColumns} from pool_messages where pool = $1 and state <> 'feigned' order by number desc`,
        [pool],
      ),
    /**
     * Also claims the messages for as long as this platform is alive. Omits messages that other platforms have claimed.
     */
    async waitingMessages() {
      const rows = await query<Message & { readonly pool: string; readonly number: number }>(
        `update pool_messages set claimed_by = $1
         where state = 'waiting' and is_claimable(claimed_by, 1, $1, '{}') returning number, pool, ${messageColumns}`,
        [platformId],
      )
      return [...rows]
        .sort((one, other) => one.number - other.number)
        .map(({ number, ...message }) => message)
    },
    async setMessage(pool, { id, state, contents }) {
      // Another platform may have taken over the message while this one was paused.
      await query(
        'update pool_messages set state = $3, contents = $4 where pool = $1 and id = $2 and claimed_by = $5',
        [pool, id, state, contents, platformId],
      )
    },
    async removeMessage(pool, id) {
      await query('delete from pool_messages where pool = $1 and id = $2', [pool, id])
    },
    async emptyMessages(now) {
      await query(
        `update pool_messages set contents = '', state = case state when 'waiting' then 'failed' else state end
         where ends <= (select time_of($1)) and contents <> ''`,
        [at(now)],
      )
    },

    change: change => transaction(run => changePool(run, change, at(change.now), platformId)),

    keys: pool => keysOf(query, pool),
    setKeys: (pool, all, read) =>
      transaction(async run => {
        await run('select pg_advisory_xact_lock($1)', [lockNumber(`${pool} keys`)])
        const found = (await keysOf(run, pool)).map(({ id }) => id)
        if (found.length !== read.length || found.some(id => !read.includes(id))) return false
        await run('delete from pool_keys where pool = $1', [pool])
        for (const { id, use, state, key, created, expires } of all)
          await run('insert into pool_keys values ($1, $2, $3, $4, $5, $6, $7)', [
            ...[pool, id, use, state, key, created, expires ?? null],
          ])
        return true
      }),

    pools: () => query<StoredPool>('select id, description, revision from created_pools order by id', []),
    async setPool({ id, description }, was) {
      const changed =
        was === undefined
          ? await query('insert into created_pools values ($1, $2, 1) on conflict do nothing returning 1', [
              id,
              description,
            ])
          : await query(
              'update created_pools set description = $2, revision = revision + 1 where id = $1 and revision = $3 returning 1',
              [id, description, was],
            )
      return changed.length === 1
    },
    removePool: id =>
      transaction(async run => {
        await run('delete from created_pools where id = $1', [id])
        for (const table of tables) await run(`delete from pool_${table} where pool = $1`, [id])
      }),
    /** Does nothing, because the clock of the database decides, not the clock of a platform. */
    async correctTimes() {},
    close: () => database.idle(),
  }
}

async function keysOf(query: Query, pool: string): Promise<readonly StoredKey[]> {
  const rows = await query<Omit<StoredKey, 'expires'> & { expires: number | null }>(
    'select id, use, state, key, created, expires from pool_keys where pool = $1 order by created, id',
    [pool],
  )
  return rows.map(({ expires, ...rest }) => ({ ...rest, expires: expires ?? undefined }))
}

type GroupRow = { readonly [K in keyof Group]: Group[K] | null }

function groupOf({ name, description, precedence, role, created, modified }: GroupRow): Group {
  return {
    name: name!,
    description: description ?? undefined,
    precedence: precedence ?? undefined,
    role: role ?? undefined,
    created: created!,
    modified: modified!,
  }
}

/** The error code for a text that is too long for an index, whose entries have 2704 bytes at most. */
const tooLong = '54000'

/**
 * Turns a DatabaseUnavailableError into the error of the store interface, so that clients get a Cognito error
 * and retry. Names that users sign in with, and links to users of other providers, can be too long for an index.
 */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if ((error as { code?: unknown }).code === tooLong)
      throw new UserPoolError('InvalidParameterException', 'A name is too long.', { cause: error })
    if (!(error instanceof DatabaseUnavailableError)) throw error
    throw new UserPoolError('InternalErrorException', error.message, { cause: error })
  }
}
