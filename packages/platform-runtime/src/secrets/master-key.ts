import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../random.ts'
import { isReadableByOthers } from '../readable-by-others.ts'

const keySize = 32

/**
 * Returns the key that encrypts the secrets of a database: from the environment, or else from a file that only its
 * owner can read. Creates that file when it does not exist.
 * @param folder the folder of the file `key`
 * @param fromEnvironment the value of the environment variable `variable`: 32 bytes in base64
 * @throws Error for a key of the wrong size, and for a file that other users can read
 */
export function masterKey(
  folder: string,
  fromEnvironment: string | undefined,
  variable: string,
  random: Random,
): Buffer {
  if (fromEnvironment !== undefined) return sized(fromEnvironment, `The environment variable ${variable}`)
  const path = join(folder, 'key')
  if (!existsSync(path)) {
    // The file gets its name only when the whole key is on the disk, because a half-written key could decrypt nothing.
    const text = `${Buffer.from(random(keySize)).toString('base64')}\n`
    const draft = `${path}.${process.pid}.new`
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    nameUnlessThere(draft, path)
  }
  if (isReadableByOthers(statSync(path)))
    throw new Error(`${path} can be read by others than its owner. Give it the mode 600.`)
  return sized(readFileSync(path, 'utf8'), path)
}

/** Gives a file its name, unless another process has created a file with this name in the meantime. */
function nameUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    // Some file systems have no hard links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, path)
  }
  rmSync(draft, { force: true })
}

function sized(text: string, what: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keySize) return key
  throw new Error(`${what} must hold ${keySize} bytes in base64, and holds ${key.length}.`)
}
