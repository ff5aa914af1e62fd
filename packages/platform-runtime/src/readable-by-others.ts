import type { Stats } from 'node:fs'

/**
 * Returns whether users other than its owner may read a file. Windows says who may with access lists, which Node does not
 * read: it gives each file the same mode there, so nothing is found.
 */
export function isReadableByOthers(
  { mode }: Pick<Stats, 'mode'>,
  system: string = process.platform,
): boolean {
  return system !== 'win32' && (mode & 0o077) !== 0
}
