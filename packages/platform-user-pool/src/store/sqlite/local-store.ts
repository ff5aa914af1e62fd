import type { DatabaseSync } from 'node:sqlite'
import {
  damageReporter,
  durability,
  freeSpaceOf,
  latestTime,
  type Need,
  transactions,
} from '@signalbox/platform-runtime/storage'
import { UserPoolError } from '../../user-pool-error.ts'
import type { Change, UserPoolStore } from '../user-pool-store.ts'
import { changes } from './changes.ts'
import { correctTimes } from './correct-times.ts'
import { countRows } from './count-rows.ts'
import { credentialRows } from './credential-rows.ts'
import { groupRows } from './group-rows.ts'
import { keyRows } from './key-rows.ts'
import { prepareDatabase } from './layout.ts'
import { messageRows } from './message-rows.ts'
import { needOf } from './need-of.ts'
import { poolRows } from './pool-rows.ts'
import { userRows } from './user-rows.ts'

const damage = damageReporter(
  'The user pools',
  'Put a copy of the file back, or move it away: then all user pools begin empty.',
)

/**
 * Opens the user-pool store in a SQLite database, on disk or in memory.
 * @param durable a function that gets the database, and returns a function that waits until commits are on the disk.
 * The store acknowledges a change only after this wait.
 * @param measure measures the free space for the database
 */
export function localStore(
  database: DatabaseSync,
  durable = durability,
  measure = freeSpaceOf,
): UserPoolStore {
  return damage.open(database, () => openStore(database, durable, measure))
}

function openStore(
  database: DatabaseSync,
  durable: typeof durability,
  measure: typeof freeSpaceOf,
): UserPoolStore {
  prepareDatabase(database)
  const tables = {
    users: userRows(database),
    credentials: credentialRows(database),
    counts: countRows(database),
    groups: groupRows(database),
    messages: messageRows(database),
    keys: keyRows(database),
    pools: poolRows(database),
  }
  const { users, credentials, counts, groups, messages, keys, pools } = tables
  const latest = latestTime(database)
  const space = measure(database)
  const write = transactions(database, storageFull, space)
  const onDisk = durable(database)
  const change = changes(tables)
  /** Makes a change in a transaction. Resolves when it is on the disk. */
  const stored = async <T>(work: () => T, need?: Need): Promise<T> => {
    const result = write(work, need)
    await onDisk()
    return result
  }
  const changeAt = <T>(now: number, work: () => T, need: Need): Promise<T> =>
    stored(() => {
      latest.write(now)
      return work()
    }, need)

  /** Makes a change. When the disk has no space for it, expired data is deleted first. */
  const makeChange = async (asked: Change) => {
    const need = needOf(asked, users)
    const attempt = () => changeAt(asked.now, () => change(asked), need)
    try {
      return await attempt()
    } catch (error) {
      if (!isStorageFull(error)) throw error
      await stored(() => credentials.sweep(asked.now), 'essential')
      return attempt()
    }
  }

  /** Makes a change that frees space, and returns the space to a disk that is nearly full. */
  const free = async <T>(work: () => T): Promise<T> => {
    const result = await stored(work, 'essential')
    space.returnPages()
    return result
  }

  return {
    user: async (pool, id) => users.get(pool, id),
    userNamed: async (pool, name) => users.named(pool, name),
    users: async (pool, query) => users.list(pool, query),
    countUsers: async pool => users.count(pool),
    credential: async (pool, kind, id, now) => credentials.get(pool, kind, id, now),
    credentialsOf: async (pool, user, kind, now) => credentials.of(pool, user, kind, now),
    latestCredentials: async (pool, kind, now, most) => credentials.latest(pool, kind, now, most),
    countCredentials: async (pool, kind, now) => credentials.count(pool, kind, now),
    nextToExpire: async (pool, kind, now) => credentials.next(pool, kind, now),
    isLocked: async (pool, key, now) => counts.isLocked(pool, key, now),
    count: (pool, key, limit, now) =>
      changeAt(now, () => counts.count(pool, key, limit, now), { kind: 'session' }),
    groups: async pool => groups.all(pool),
    groupsOf: async (pool, user) => groups.of(pool, user),
    messages: async pool => messages.all(pool),
    waitingMessages: async () => messages.waiting(),
    setMessage: (pool, message) =>
      stored(() => messages.set(pool, message), { bytes: message.contents.length }),
    removeMessage: (pool, id) => free(() => messages.remove(pool, id)),
    emptyMessages: now => free(() => messages.empty(now)),
    change: asked => (asked.removedUser === undefined ? makeChange(asked) : free(() => change(asked))),
    keys: async pool => keys.all(pool),
    // Tokens cannot be signed without keys, and a pool has few of them.
    setKeys: (pool, all, read) => stored(() => keys.replace(pool, all, read), 'essential'),
    pools: async () => pools.all(),
    setPool: async (pool, was) => stored(() => pools.set(pool, was), { bytes: pool.description.length }),
    removePool: id => free(() => pools.remove(id)),
    correctTimes: async (now, lives) =>
      latest.correct(now, (ahead, time) => correctTimes(database, ahead, time, lives)),
    clear: () => free(() => pools.clear()),
    async close() {
      database.close()
    },
  }
}

function storageFull(options?: ErrorOptions): UserPoolError {
  return new UserPoolError(
    'ServiceUnavailableException',
    'User pools cannot store more: the disk is full.',
    options,
  )
}

function isStorageFull(error: unknown): boolean {
  return error instanceof UserPoolError && error.type === 'ServiceUnavailableException'
}
