import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileOf } from './file-of.ts'

/** Bytes of a disk that are left free, or a tenth of a disk that is small. */
const reserve = 32 * 1024 * 1024

/**
 * Whether a database has room for so many bytes more. Some is kept free, since one that has filled the disk to the
 * last byte could not even be emptied: what becomes of its messages is written down too.
 */
export function roomOf(database: DatabaseSync): (bytes?: number) => boolean {
  const file = fileOf(database)
  if (file === '') return () => true
  const folder = dirname(file)
  return (bytes = 0) => {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return bavail * bsize - bytes >= Math.min(reserve, (blocks * bsize) / 10)
  }
}
