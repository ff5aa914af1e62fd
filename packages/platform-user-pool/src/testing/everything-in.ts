import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the bytes of all files in a folder. */
export function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
