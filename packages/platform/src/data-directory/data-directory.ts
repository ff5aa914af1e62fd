import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core'

/** Where the platform keeps its files. */
export interface DataDirectory {
  /** Opens a database in it, which is made when it is not there. */
  readonly open: (name: string) => DatabaseSync
  /**
   * Keeps every other box off, until `release` or the end of this process, however that comes.
   * @throws DataDirectoryInUseError when another box is running on it
   */
  readonly lock: () => void
  readonly release: () => void
}

/** Another box is running on the same data directory. */
export class DataDirectoryInUseError extends SignalboxError {
  override readonly name = 'DataDirectoryInUseError'
  readonly code = 'DATA_DIRECTORY_IN_USE'
}

/** A data directory, which is made when it is not there. Undefined keeps everything in memory. */
export function dataDirectory(path: string | undefined): DataDirectory {
  if (path === undefined) {
    return { open: () => new DatabaseSync(':memory:'), lock: () => {}, release: () => {} }
  }
  mkdirSync(path, { recursive: true, mode: 0o700 })
  let held: DatabaseSync | undefined
  return {
    open: name => new DatabaseSync(join(path, `${name}.sqlite`)),
    lock() {
      held = lockDatabase(path)
      writeFileSync(
        join(path, 'box.json'),
        JSON.stringify({ pid: process.pid, since: new Date().toISOString() }),
      )
    },
    release() {
      held?.close()
      held = undefined
    },
  }
}

// A lock of the operating system, which ends with the process: nothing is left behind by one that is killed.
function lockDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(join(path, 'lock.sqlite'))
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (!/locked/.test((error as Error).message)) throw error
    throw new DataDirectoryInUseError(
      `Another box${whose(path)} is running on ${path}. Stop it, or use another dataDir.`,
    )
  }
}

function whose(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(join(path, 'box.json'), 'utf8')) as Record<string, unknown>
    return ` (process ${pid}, since ${since})`
  } catch {
    return ''
  }
}
