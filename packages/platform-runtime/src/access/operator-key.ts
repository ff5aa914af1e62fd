import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../random.ts'
import type { AccessKey } from '../signature/signature-v4.ts'

const fileName = 'operator.json'

/**
 * Creates the key that the command line uses during one run of a platform. Only the owner of the data directory can
 * read the key, and that owner can change all data anyway.
 * @param folder the folder `access` of the data directory
 */
export function makeOperatorKey(folder: string, random: Random): AccessKey {
  const text = (size: number) => Buffer.from(random(size)).toString('base64url')
  const key = { accessKeyId: `operator-${text(6)}`, secretAccessKey: text(30) }
  const draft = join(folder, `${fileName}.new`)
  rmSync(draft, { force: true })
  writeFileSync(draft, JSON.stringify(key), { mode: 0o600 })
  renameSync(draft, join(folder, fileName))
  return key
}

export function removeOperatorKey(folder: string): void {
  rmSync(join(folder, fileName), { force: true })
}

/** Returns the key of the command line. Returns undefined when no platform with `access` is running. */
export function readOperatorKey(dataDir: string): AccessKey | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'access', fileName), 'utf8')) as AccessKey
  } catch {
    return undefined
  }
}
