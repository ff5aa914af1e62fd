import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileOf } from './database-files.ts'

/** The space on the disk of a folder, in bytes. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** The space that is left for a database, and for files beside it. */
export interface FreeSpace {
  /** Returns whether the database can store `bytes` more bytes: on its free pages, or on the disk. */
  readonly forRows: (bytes?: number) => boolean
  /**
   * Returns whether the disk has space for a file of `bytes` bytes. Files hold accepted data, so they may use half of
   * the reserve.
   */
  readonly forFile: (bytes: number) => boolean
  /**
   * Returns some free pages of the database to a disk that is nearly full, so that files can use the space. Does
   * nothing for a database that was created without `auto_vacuum = incremental`.
   * @returns whether there are more to return
   */
  readonly returnPages: () => boolean
}

/** The number of bytes that stay free on the disk. On a small disk, a tenth stays free. */
const reserve = 32 * 1024 * 1024

/** The maximum number of pages that one transaction returns to the disk. All other work waits for the transaction. */
const pagesAtATime = 1000

/**
 * Measures the space left for a database. Some space stays free, because a database that fills the disk to the last
 * byte could not even delete rows, because a deletion is first written to the log. Deletions leave free pages in the
 * file, which the disk counts as used. See docs/decisions/free-space.md.
 */
export function freeSpaceOf(
  database: DatabaseSync,
  spaceOf: (folder: string) => DiskSpace = spaceOfDisk,
): FreeSpace {
  const file = fileOf(database)
  if (file === '') return { forRows: () => true, forFile: () => true, returnPages: () => false }
  const folder = dirname(file)
  const freePages = database.prepare('pragma freelist_count')
  const pageSize = Number(database.prepare('pragma page_size').get()!.page_size)
  const measured = () => {
    const { free, total } = spaceOf(folder)
    return { free, kept: Math.min(reserve, total / 10) }
  }
  const pages = () => Number(freePages.get()!.freelist_count)
  return {
    forRows(bytes = 0) {
      const { free, kept } = measured()
      if (free - bytes >= kept) return true
      // The write-ahead log needs disk space even when the database has free pages.
      return free >= kept / 2 && free + pages() * pageSize - bytes >= kept
    },
    forFile(bytes) {
      const { free, kept } = measured()
      return free - bytes >= kept / 2
    },
    returnPages() {
      const { free, kept } = measured()
      const before = free < 2 * kept ? pages() : 0
      if (before === 0) return false
      database.exec(`pragma incremental_vacuum(${pagesAtATime})`)
      const after = pages()
      return after > 0 && after < before
    },
  }
}

function spaceOfDisk(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
