import { statfsSync } from 'node:fs'

/** The space on the disk of a folder, in bytes. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** The number of bytes that stay free on the disk. On a small disk, a tenth stays free. */
const reserve = 32 * 1024 * 1024

/** Returns the number of bytes that stay free on a disk. */
export function reserveOf({ total }: DiskSpace): number {
  return Math.min(reserve, total / 10)
}

/** Measures the disk of a folder. */
export function spaceOfDisk(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
