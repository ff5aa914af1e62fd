import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { type Clock, systemClock } from '../clock.ts'
import { InvalidOptionError } from '../errors.ts'
import { notAnAnswer } from '../not-an-answer.ts'
import { refuseUnknownOptions } from '../options.ts'
import type { Store } from './store.ts'

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The clock whose wall time decides when a key expires. Default: the system clock. */
  readonly clock?: Clock
}

/** How often writes delete expired keys, and how many at most, so that no write takes long. */
const [writesBetween, deletedAtOnce] = [100, 500]

/**
 * Returns a store in a file of SQLite, which Node has built in. All processes of one machine share its keys, exactly one
 * of several claims of a key succeeds, and keys survive restarts. Folders and file are made at the first use. The file must be on
 * a local disk: locks of network file systems are not reliable, and an instance of AWS Lambda has a disk of its own.
 *
 * @param file the path of the file
 * @example
 * const store = sqliteStore('./data/handled.sqlite')
 * @throws InvalidOptionError for a path that is not a string, or an unknown option
 */
export function sqliteStore(file: string, options: SqliteStoreOptions = {}): Store {
  if (typeof file !== 'string' || file === '')
    throw new InvalidOptionError('sqliteStore() takes the path of a file')
  refuseUnknownOptions('sqliteStore()', options, ['clock'])
  const { clock = systemClock } = options
  let opened: ReturnType<typeof open> | undefined
  const database = () => {
    opened ??= open(file)
    return opened
  }
  let writes = 0
  const write = (statement: 'set' | 'claim', key: string, value: string, ttl: number): boolean => {
    const now = clock.wall()
    const { sweep, [statement]: put } = database()
    if (writes++ % writesBetween === 0) sweep.run(now, deletedAtOnce)
    // A claim does not replace an entry that has not expired. Both statements have the same parameters.
    return put.run(key, value, Math.ceil(now + ttl), now).changes > 0
  }
  return notAnAnswer('a store', {
    async get(key) {
      return database().get.get(key, clock.wall())?.value as string | undefined
    },
    async setIfAbsent(key, value, ttl) {
      return write('claim', key, value, ttl)
    },
    async set(key, value, ttl) {
      write('set', key, value, ttl)
    },
    async delete(key) {
      database().delete.run(key)
    },
  })
}

function open(file: string): Record<'get' | 'set' | 'claim' | 'delete' | 'sweep', StatementSync> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Bundlers that do not know this module of Node would warn of an import.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(file)
  // Other processes may be writing, or opening the file for the first time, too.
  database.exec('PRAGMA busy_timeout = 10000')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT, expires INTEGER)')
  database.exec('CREATE INDEX IF NOT EXISTS expiry ON entries (expires)')
  const put = (condition: string) =>
    database.prepare(
      `INSERT INTO entries VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE SET value = ?2, expires = ?3 WHERE ${condition}`,
    )
  return {
    get: database.prepare('SELECT value FROM entries WHERE key = ? AND expires > ?'),
    set: put('?4 IS NOT NULL'),
    claim: put('expires <= ?4'),
    delete: database.prepare('DELETE FROM entries WHERE key = ?'),
    sweep: database.prepare(
      'DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE expires <= ? LIMIT ?)',
    ),
  }
}
