import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import { SignalboxError } from '@signalbox/core/base'
import { createFolder } from '../create-folder.ts'
import { observeTimes, type StorageTime } from './commit-times.ts'
import { damageReporter } from './damaged-file.ts'
import { databaseFiles, ownFile, usable } from './database-files.ts'
import { IncompleteDataError } from './incomplete-data-error.ts'
import { replaceFile } from './replace-file.ts'
import { watchDisk } from './watch-disk.ts'

/** The folder with the files of a platform. */
export interface DataDirectory {
  /**
   * Opens a database in the folder. Creates it when it does not exist.
   * @throws UnusableFileError for a file that cannot be written, and for an empty file that once held data
   */
  readonly open: (name: string) => DatabaseSync
  /**
   * Locks the folder against other platforms, until `release` is called or this process ends, even by SIGKILL.
   * @throws DataDirectoryInUseError when another platform is using it, and IncompleteDataError when a copy into it was
   * stopped, unless `allowsIncomplete` is set
   */
  readonly lock: (options?: { readonly allowsIncomplete?: boolean }) => void
  /** Sets whether the folder holds only a part of the data, so that no platform can lock it. */
  readonly setIncomplete: (isIncomplete: boolean) => void
  /** Publishes URLs of this platform while the folder is locked. */
  readonly announce: (more: Urls) => void
  /**
   * Returns a subfolder, and creates it when it does not exist. For a data directory in memory, it is a temporary
   * folder that `release` removes.
   */
  readonly folder: (name: string) => string
  /**
   * Keeps a reserve file in the folder, for deletions on a full disk, and shows a notice when the disk is nearly full.
   * Returns a function that ends this.
   */
  readonly watchDisk: (clock: Clock, notice: (text: string) => void) => () => void
  readonly release: () => void
}

/** The URLs of a running platform, by the configuration key of the part that listens there. */
interface Urls {
  readonly [key: string]: string | undefined
}

/** The process that has locked a data directory. */
export interface Holder {
  readonly pid: number
  readonly since: string
  readonly urls: Urls
}

/** Reports that another platform is using the same data directory. */
export class DataDirectoryInUseError extends SignalboxError {
  override readonly name = 'DataDirectoryInUseError'
  readonly code = 'DATA_DIRECTORY_IN_USE'
}

/**
 * Opens a data directory, and creates it when it does not exist. Without a path, everything is kept in memory.
 * @param observe called with how long the work of its databases took
 */
export function dataDirectory(path: string | undefined, observe: StorageTime = () => {}): DataDirectory {
  if (path === undefined) return inMemory(observe)
  usable(path, path, 'used', () => createFolder(path, ownerOnly))
  const files = databaseFiles(path)
  const about = join(path, holderFile)
  const incomplete = join(path, incompleteFile)
  const since = new Date().toISOString()
  let urls: Urls = {}
  const announce = (more: Urls) => {
    urls = { ...urls, ...more }
    const holder = JSON.stringify({ pid: process.pid, since, urls } satisfies Holder)
    // No power cut can leave a platform running, so this file need not survive one.
    usable(path, about, 'used', () => replaceFile(about, holder, { flush: false }))
  }
  let held: DatabaseSync | undefined
  return {
    open: name => observeTimes(files.open(name), observe),
    lock({ allowsIncomplete = false } = {}) {
      const locked = usable(path, join(path, lockFile), 'used', () => lockDatabase(path))
      if (!allowsIncomplete && existsSync(incomplete)) {
        locked.close()
        throw new IncompleteDataError(path)
      }
      held = locked
      announce({})
    },
    setIncomplete(isIncomplete) {
      if (isIncomplete) writeFileSync(incomplete, '')
      else rmSync(incomplete, { force: true })
    },
    announce,
    folder: name => createFolder(join(path, name), ownerOnly),
    watchDisk: (clock, notice) => watchDisk(path, clock, notice),
    release() {
      if (held === undefined) return
      try {
        files.note()
      } finally {
        rmSync(about, { force: true })
        held.close()
        held = undefined
      }
    },
  }
}

function inMemory(observe: StorageTime): DataDirectory {
  let temporary: string | undefined
  return {
    open: () => observeTimes(new DatabaseSync(':memory:'), observe),
    lock: () => {},
    setIncomplete: () => {},
    announce: () => {},
    folder(name) {
      temporary ??= mkdtempSync(join(tmpdir(), 'signalbox-'))
      return createFolder(join(temporary, name), ownerOnly)
    },
    watchDisk: () => () => {},
    release() {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
      temporary = undefined
    },
  }
}

/**
 * Returns the process that holds the lock of a data directory, or that held it when it was killed. Returns undefined
 * when that process is unknown.
 */
export function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(path, holderFile), 'utf8')) as Holder
  } catch {
    return undefined
  }
}

const ownerOnly = 0o700

const holderFile = 'platform.json'
const lockFile = 'lock.sqlite'
const incompleteFile = 'incomplete-copy'

const lockDamage = damageReporter('The locks', 'Delete the file: it holds no data.')

// This lock belongs to the operating system, and ends with the process, even when the process is killed.
function lockDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(ownFile(join(path, lockFile)))
  try {
    lockDamage.run(database, () => database.exec('pragma locking_mode = exclusive; begin exclusive'))
    return database
  } catch (error) {
    database.close()
    if (!/locked/.test((error as Error).message)) throw error
    throw new DataDirectoryInUseError(
      `Another platform${whose(path)} is using ${path}. Stop it, or set another dataDir.`,
    )
  }
}

function whose(path: string): string {
  const holder = readHolder(path)
  return holder === undefined ? '' : ` (process ${holder.pid}, since ${holder.since})`
}
