import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type DiskSpace, reserveOf, spaceOfDisk } from './disk-space.ts'

/** The name of the file in a data directory. */
const fileName = 'reserve'

/** The size of the file in bytes. On a small disk, it takes half of the reserve. */
const fileSize = 8 * 1024 * 1024

/** More bytes than the files take that appear when the databases of a data directory are opened. */
const openingSize = 1024 * 1024

/** SQLite's codes for a full disk, for a write that the disk refused, and for an index of the log that cannot grow. */
const sqliteCodes: readonly unknown[] = [13, 778, 4874]

/** The system's codes for a full disk, and for a user who has used up a quota. */
const systemCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT']

/** Returns whether an error of SQLite or of the system says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const { errcode, code } = (error ?? {}) as { readonly errcode?: unknown; readonly code?: unknown }
  return sqliteCodes.includes(errcode) || systemCodes.includes(code)
}

/**
 * Allocates the reserve file of a data directory, unless it is there or the disk has no space for it. Other programs can
 * fill a disk to the last byte, and then this file is the only space that deletions have. See
 * docs/decisions/storage-and-postgresql.md#free-space.
 */
export function takeReserve(folder: string, space: DiskSpace): void {
  const path = join(folder, fileName)
  const size = sizeOn(space)
  if (existsSync(path) || space.free - size < reserveOf(space)) return
  // Some file systems store zeros in no space.
  const block = randomBytes(256 * 1024)
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let left = size; left > 0; ) left -= writeSync(file, block, 0, Math.min(block.length, left))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    rmSync(path, { force: true })
    if (!isDiskFull(error)) throw error
  }
}

/** Deletes the reserve file of a data directory. Returns whether this freed space. */
export function giveUpReserve(folder: string): boolean {
  const path = join(folder, fileName)
  if (!existsSync(path)) return false
  try {
    rmSync(path)
    return true
  } catch {
    // Another process has deleted it, or this user must not.
    return false
  }
}

/**
 * Gives up the reserve file of a data directory if the disk lacks the space that opening databases takes. Must be called
 * before they are opened.
 */
export function makeRoom(folder: string, { free } = spaceOfDisk(folder)): void {
  if (free < openingSize) giveUpReserve(folder)
}

function sizeOn(space: DiskSpace): number {
  return Math.floor(Math.min(fileSize, reserveOf(space) / 2))
}
