import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileOf } from './database-files.ts'
import { type DiskSpace, reserveOf, spaceOfDisk } from './disk-space.ts'
import { giveUpReserve, isDiskFull } from './reserve-file.ts'

/**
 * How many times the reserve each kind of data leaves free. Each kind has space that the kinds before it cannot take, so
 * that logs cannot prevent sign-ups, clients without credentials cannot prevent sign-ins, and sign-ins cannot prevent
 * sends.
 */
const leftFree = {
  /** Logs, which lose entries. */
  log: 3,
  /** Data that clients without credentials add for good, such as new accounts and mail from the internet. */
  anonymous: 2,
  /** Data of users and of clients that sign in, such as codes, sessions and tokens. */
  session: 1.5,
  /** All other data. */
  data: 1,
} as const

/** A kind of data. */
type DataKind = keyof typeof leftFree

/** The data that a write adds. */
interface AddedData {
  /** Default `data`. */
  readonly kind?: DataKind
  /** The approximate size of the data in bytes. Default 0. */
  readonly bytes?: number
}

/**
 * What a write needs of the disk. `essential` is for work that must succeed on a full disk: what frees space, takes
 * rights away, or goes on with accepted work. It may use the whole reserve, and adds next to nothing.
 */
export type Need = 'essential' | AddedData

/** Returns the need of several writes in one transaction: that of the data that leaves most space free. */
export function sharedNeed(needs: readonly Need[]): Need {
  const added = needs.filter(need => need !== 'essential')
  if (added.length === 0) return 'essential'
  const kinds = added.map(({ kind = 'data' }) => kind)
  return {
    kind: kinds.reduce((one, other) => (leftFree[other] > leftFree[one] ? other : one)),
    bytes: added.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
  }
}

/** SQLite writes data twice: first to its log, and then to its tables. A write also changes some more pages. */
const copies = 2
const overhead = 64 * 1024

/** The space that is left for a database, and for files beside it. */
export interface FreeSpace {
  /** Returns whether the database has space for a write: on its free pages, or on the disk. */
  readonly forRows: (need: Need) => boolean
  /**
   * Returns whether the disk has space for a file of `bytes` bytes. Files hold accepted data, so they may use half of
   * the reserve.
   */
  readonly forFile: (bytes: number) => boolean
  /**
   * Returns some free pages of the database to a disk that is nearly full, and finally the space of its write-ahead log, so
   * that files and other databases can use the space. A database that was created without `auto_vacuum = incremental` keeps
   * its pages.
   * @returns whether there are more pages to return
   */
  readonly returnPages: () => boolean
  /** Deletes the reserve file beside the database. Returns whether this freed space. */
  readonly giveUpReserve: () => boolean
}

/** The maximum number of pages that one transaction returns to the disk. All other work waits for the transaction. */
const pagesAtATime = 1000

/**
 * Measures the space left for a database. Some space stays free, because a database that fills the disk to the last
 * byte could not even delete rows, because a deletion is first written to the log. Deletions leave free pages in the
 * file, which the disk counts as used. See docs/decisions/storage-and-postgresql.md#free-space.
 */
export function freeSpaceOf(
  database: DatabaseSync,
  spaceOf: (folder: string) => DiskSpace = spaceOfDisk,
): FreeSpace {
  const file = fileOf(database)
  if (file === '')
    return {
      forRows: () => true,
      forFile: () => true,
      returnPages: () => false,
      giveUpReserve: () => false,
    }
  const folder = dirname(file)
  const freePages = database.prepare('pragma freelist_count')
  const pageSize = Number(database.prepare('pragma page_size').get()!.page_size)
  const measured = (kind: DataKind = 'data') => {
    const space = spaceOf(folder)
    return { free: space.free, kept: reserveOf(space) * leftFree[kind] }
  }
  const pages = () => Number(freePages.get()!.freelist_count)
  return {
    forRows(need) {
      if (need === 'essential') return true
      const { free, kept } = measured(need.kind)
      const bytes = copies * (need.bytes ?? 0) + overhead
      if (free - bytes >= kept) return true
      // The write-ahead log needs disk space even when the database has free pages.
      return free >= kept / 2 && free + pages() * pageSize - bytes >= kept
    },
    forFile(bytes) {
      const { free, kept } = measured()
      return free - bytes >= kept / 2
    },
    returnPages() {
      const { free, kept } = measured('log')
      if (free >= kept) return false
      try {
        const before = pages()
        if (before > 0) database.exec(`pragma incremental_vacuum(${pagesAtATime})`)
        const after = pages()
        if (after > 0 && after < before) return true
        // The write-ahead log keeps the size that it once had.
        database.exec('pragma wal_checkpoint(truncate)')
      } catch (error) {
        // The log needs space for the pages that move. The deletion that came before has succeeded.
        if (!isDiskFull(error)) throw error
      }
      return false
    },
    giveUpReserve: () => giveUpReserve(folder),
  }
}
