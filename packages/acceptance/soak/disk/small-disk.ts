import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes. */
export interface SmallDisk {
  readonly path: string
  /** Returns the number of free bytes. */
  readonly free: () => number
  readonly [Symbol.dispose]: () => void
}

/** Mounts a disk in memory. Returns undefined where this user cannot mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  if (process.platform !== 'linux') return undefined
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  if (mount.status !== 0) {
    rmSync(path, { recursive: true })
    return undefined
  }
  return {
    path,
    free() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
