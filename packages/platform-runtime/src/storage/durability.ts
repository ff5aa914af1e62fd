import { closeSync, fdatasync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { reportTime } from './commit-times.ts'
import { fileOf, UnusableFileError } from './database-files.ts'

/** Writes the system's cached data of a file or folder to the disk. */
type SyncFile = (path: string) => Promise<void>

const commits = new WeakMap<DatabaseSync, number>()

/** Counts a commit. Must be called after each commit. */
export function countCommit(database: DatabaseSync): void {
  commits.set(database, (commits.get(database) ?? 0) + 1)
}

/**
 * Lets commits of a database in WAL mode return before they are on the disk, because waiting would stop all listeners
 * of the process. Await the returned function before acknowledging a change. It resolves when all commits so far are
 * on the disk, and simultaneous commits share one sync. A database in memory waits for nothing. See
 * docs/decisions/storage-and-postgresql.md#commits-and-the-disk.
 * @throws UnusableFileError, as a rejection, when the disk fails
 */
export function durability(database: DatabaseSync, sync: SyncFile = syncFile): () => Promise<void> {
  const path = fileOf(database)
  if (path === '') return async () => {}
  // In this mode SQLite waits for the disk only when it moves the log into the database. A power cut cannot damage the
  // database.
  database.exec('pragma synchronous = normal')
  const log = `${path}-wal`
  let durable = 0
  let isLogNew = true
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const syncAll = async () => {
    const count = commits.get(database) ?? 0
    const began = performance.now()
    try {
      await sync(log)
      if (isLogNew) await sync(dirname(log))
    } catch (error) {
      // Closing the database moves the log into it. While it is open, a missing log was deleted by someone else.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isOpen(database))
        throw failed(log, error as Error)
    }
    isLogNew = false
    durable = count
    reportTime(database, 'commit', began)
  }

  return async () => {
    if (durable === (commits.get(database) ?? 0)) return
    next ??= (async () => {
      // The last sync may not include commits that were made while it ran.
      await running?.catch(() => {})
      next = undefined
      running = syncAll()
      await running
    })()
    await next
  }
}

// The property `isOpen` needs Node 22.15.
function isOpen(database: DatabaseSync): boolean {
  try {
    database.prepare('select 1')
    return true
  } catch {
    return false
  }
}

function failed(path: string, cause: Error): UnusableFileError {
  return new UnusableFileError(`${path} cannot be brought to the disk: ${cause.message}.`, { cause })
}

const datasync = promisify(fdatasync)

const syncFile: SyncFile = async path => {
  const isFolder = !path.endsWith('-wal')
  // Windows cannot open folders for a sync, and makes their entries durable by itself.
  if (isFolder && process.platform === 'win32') return
  // Opening and closing do not wait for the disk. Asynchronous calls would take two thirds more processor time.
  const file = openSync(path, isFolder ? 'r' : 'r+')
  try {
    await datasync(file)
  } finally {
    closeSync(file)
  }
}
