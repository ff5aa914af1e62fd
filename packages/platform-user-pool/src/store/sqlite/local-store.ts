import type { DatabaseSync } from 'node:sqlite'
import { damageReporter, durability, groupCommit, transactions } from '@signalbox/platform-runtime/storage'
import { UserPoolError } from '../../user-pool-error.ts'
import type { UserPoolStore } from '../user-pool-store.ts'
import { changes } from './changes.ts'
import { countRows } from './count-rows.ts'
import { credentialRows } from './credential-rows.ts'
import { groupRows } from './group-rows.ts'
import { keyRows } from './key-rows.ts'
import { prepareDatabase } from './layout.ts'
import { messageRows } from './message-rows.ts'
import { poolRows } from './pool-rows.ts'
import { userRows } from './user-rows.ts'

const reportDamage = damageReporter(
  'The user pools',
  'Put a copy of the file back, or move it away: then all user pools begin empty.',
)

/**
 * Opens the user-pool store in a SQLite database, on disk or in memory.
 * @param durable a function that gets the database, and returns a function that waits until commits are on the disk.
 * The store acknowledges a change only after this wait.
 */
export function localStore(database: DatabaseSync, durable = durability): UserPoolStore {
  const sound = <T>(work: () => T): T => reportDamage(database, work)
  sound(() => prepareDatabase(database))
  const tables = {
    users: userRows(database),
    credentials: credentialRows(database),
    counts: countRows(database),
    groups: groupRows(database),
    messages: messageRows(database),
  }
  const keys = keyRows(database)
  const pools = poolRows(database)
  const write = transactions(database, options => new UserPoolError('InternalErrorException', full, options))
  const onDisk = durable(database)
  const shared = groupCommit(write, onDisk)
  const change = changes(tables)
  const { users, credentials, counts, groups, messages } = tables
  return {
    user: async (pool, id) => sound(() => users.get(pool, id)),
    userNamed: async (pool, name) => sound(() => users.named(pool, name)),
    users: async (pool, query) => sound(() => users.list(pool, query)),
    countUsers: async pool => sound(() => users.count(pool)),
    credential: async (pool, kind, id, now) => sound(() => credentials.get(pool, kind, id, now)),
    credentialsOf: async (pool, user, kind, now) => sound(() => credentials.of(pool, user, kind, now)),
    isLocked: async (pool, key, now) => sound(() => counts.isLocked(pool, key, now)),
    count: (pool, key, limit, now) => sound(() => shared(() => counts.count(pool, key, limit, now))),
    groups: async pool => sound(() => groups.all(pool)),
    groupsOf: async (pool, user) => sound(() => groups.of(pool, user)),
    messages: async pool => sound(() => messages.all(pool)),
    waitingMessages: async () => sound(() => messages.waiting()),
    setMessage: (pool, message) => sound(() => shared(() => messages.set(pool, message))),
    removeMessage: (pool, id) => sound(() => shared(() => messages.remove(pool, id))),
    emptyMessages: now => sound(() => shared(() => messages.empty(now))),
    change: asked => sound(() => shared(() => change(asked))),
    keys: async pool => sound(() => keys.all(pool)),
    async setKeys(pool, all, read) {
      const done = sound(() => write(() => keys.replace(pool, all, read)))
      await onDisk()
      return done
    },
    pools: async () => sound(() => pools.all()),
    setPool: async (pool, was) => sound(() => shared(() => pools.set(pool, was))),
    removePool: async id => sound(() => shared(() => pools.remove(id))),
    async close() {
      database.close()
    },
  }
}

const full = 'User pools cannot store more: the disk is full.'
