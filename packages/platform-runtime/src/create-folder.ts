import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates a folder and the folders above it, unless they exist. Returns its path. */
export function createFolder(path: string, mode = 0o777): string {
  // Node's option `recursive` never ends in a folder such as /proc, which answers as if it did not exist.
  if (!existsSync(dirname(path))) createFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  return path
}
