import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { replaceFile } from './replace-file.ts'
import { giveUpReserve, isDiskFull, makeRoom } from './reserve-file.ts'

/** Reports that a database that held data is empty, or that its data directory cannot be used. */
export class UnusableFileError extends SignalboxError {
  override readonly name = 'UnusableFileError'
  readonly code = 'UNUSABLE_FILE'
}

/** The databases of a data directory. */
export interface DatabaseFiles {
  /**
   * Opens a database for writing, and creates it when it does not exist.
   * @throws UnusableFileError for a file that cannot be written, and for an empty file that once held data
   */
  readonly open: (name: string) => DatabaseSync
  /** Records which of the opened databases hold data now. */
  readonly note: () => void
}

/** SQLite's codes for a file that cannot be written, a failing disk, and a file that cannot be opened. */
const unwritable: readonly unknown[] = [8, 10, 14]

/** Returns the databases of a data directory, which must exist. */
export function databaseFiles(directory: string): DatabaseFiles {
  const opened = new Set<string>()
  makeRoom(directory)

  const note = (names: Iterable<string>, gone?: string) => {
    const noted = notedIn(directory)
    const all = new Set([...noted, ...names].filter(name => name !== gone))
    if (all.size === noted.size) return
    const path = join(directory, records)
    usable(directory, path, 'used', () => replaceFile(path, JSON.stringify([...all].sort()), { flush: true }))
  }

  return {
    open(name) {
      const path = databasePath(directory, name)
      return usable(directory, path, 'used', () => {
        // A file that was deleted or moved away is created again.
        if (!isThere(path)) note([], name)
        refuseZeroBytes(directory, name)
        const database = new DatabaseSync(ownFile(path))
        try {
          // Another process may be writing at the moment.
          if (isWritable(database)) {
            refuseNoTables(database, directory, name)
            if (hasTables(database)) note([name])
          }
          opened.add(name)
          return database
        } catch (error) {
          database.close()
          throw error
        }
      })
    },

    note: () => note([...opened].filter(name => sizeOf(databasePath(directory, name)) > 0)),
  }
}

/**
 * Opens a database of a data directory for reading, whether a platform is using it or not. Returns undefined when it
 * does not exist yet.
 * @throws UnusableFileError for a file that cannot be read, and for an empty file that once held data
 */
export function openForReading(directory: string, name: string): DatabaseSync | undefined {
  const path = databasePath(directory, name)
  if (!hasDatabase(directory, name)) return undefined
  makeRoom(directory)
  return usable(directory, path, 'read', () => {
    refuseZeroBytes(directory, name)
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      refuseNoTables(database, directory, name)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/**
 * Returns whether a database exists.
 * @throws UnusableFileError when this user has no access. The database may exist then.
 */
export function hasDatabase(directory: string, name: string): boolean {
  const path = databasePath(directory, name)
  return usable(directory, path, 'read', () => isThere(path))
}

/**
 * Adds the file's name to an error that does not name it, such as those of SQLite and of writing to a full disk. Gives
 * up the reserve file of the directory first when the disk is full. `damageReporter` reports damaged files.
 */
export function usable<T>(directory: string, path: string, used: 'used' | 'read', use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (error instanceof SignalboxError) throw error
    if (isDiskFull(error) && giveUpReserve(directory)) return usable(directory, path, used, use)
    const { message, path: named } = error as NodeJS.ErrnoException
    const where = named === undefined ? `${path}: ` : ''
    throw new UnusableFileError(`The data directory ${directory} cannot be ${used}: ${where}${message}.`, {
      cause: error,
    })
  }
}

/**
 * Creates a file that only its owner can read, because the folder may have existed before with access for all users.
 * SQLite gives the files beside a database the same mode. An existing file is not even opened, because closing it
 * would release the locks of this process.
 */
export function ownFile(path: string): string {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return path
}

/**
 * Returns the path of the file of a database. The path is empty for a database in memory. Works for a damaged file,
 * too.
 */
export function fileOf(database: DatabaseSync): string {
  return String(database.prepare('pragma database_list').get()?.file ?? '')
}

/** The file that records which databases held data. */
const records = 'databases.json'

function databasePath(directory: string, name: string): string {
  return join(directory, `${name}.sqlite`)
}

function notedIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(join(directory, records), 'utf8')) as string[])
  } catch {
    return new Set()
  }
}

/** Refuses a file of zero bytes. SQLite would treat it as a new database, and delete its log, which may hold data. */
function refuseZeroBytes(directory: string, name: string): void {
  const path = databasePath(directory, name)
  if (!isThere(path) || sizeOf(path) > 0) return
  if (sizeOf(`${path}-wal`) > 0) throw emptied(path, 'has a log beside it')
  if (notedIn(directory).has(name)) throw emptied(path, `held data, as ${join(directory, records)} says`)
}

function refuseNoTables(database: DatabaseSync, directory: string, name: string): void {
  if (!notedIn(directory).has(name) || hasTables(database)) return
  throw emptied(databasePath(directory, name), `held data, as ${join(directory, records)} says`)
}

function emptied(path: string, but: string): UnusableFileError {
  return new UnusableFileError(
    `${path} is empty, but ${but}. Restore a copy of the file, or delete it to start with an empty one.`,
  )
}

/** Returns whether a database has tables. A damaged file is treated as a database with tables. */
function hasTables(database: DatabaseSync): boolean {
  try {
    return database.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
  } catch (error) {
    if (isUnwritable(error)) throw error
    return true
  }
}

function isWritable(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback')
    return true
  } catch (error) {
    if (isUnwritable(error)) throw error
    return false
  }
}

function isUnwritable(error: unknown): boolean {
  return unwritable.includes(((error as { readonly errcode?: number }).errcode ?? 0) & 0xff)
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
