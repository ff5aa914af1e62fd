import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What a package.json says to get the same packages that are running: a range of versions when they came from a
 * registry, or the folders, when this is a checkout of the repository.
 */
export function packageVersion(url: string): (packageName: string) => string {
  const own = join(dirname(realpathSync(fileURLToPath(url))), '..', '..')
  if (!own.split(sep).includes('node_modules')) {
    return packageName => `file:${join(own, '..', packageName.replace('@signalbox/', ''))}`
  }
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string }
  return () => `^${version}`
}
