import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PackageSource } from './project-files.ts'

/**
 * Where the packages that are running came from: a registry, or a checkout of the repository, whose folders are then
 * named.
 */
export function packageSource(url: string): PackageSource {
  const own = join(dirname(realpathSync(fileURLToPath(url))), '..', '..')
  const { version, dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    version: string
    dependencies: { readonly [name: string]: string }
  }
  if (own.split(sep).includes('node_modules')) return { versionOf: () => `^${version}`, beside: [] }
  return {
    versionOf: packageName => `file:${join(own, '..', packageName.replace('@signalbox/', ''))}`,
    beside: Object.keys(dependencies).filter(name => name.startsWith('@signalbox/')),
  }
}
