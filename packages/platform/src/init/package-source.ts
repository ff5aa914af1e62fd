import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { packageFolder } from '../own-code.ts'
import type { PackageSource } from './project-settings.ts'

/**
 * Returns the origin of the running packages: a registry or a checkout of the repository. A new project that
 * comes from a checkout depends on the package folders in it.
 */
export function packageSource(): PackageSource {
  const own = realpathSync(packageFolder)
  const { version } = manifestIn(own)
  if (own.split(sep).includes('node_modules')) return { versionOf: () => `^${version}`, beside: [] }
  const folderOf = (packageName: string) => join(own, '..', packageName.replace('@signalbox/', ''))
  const beside = new Set<string>()
  const add = (folder: string) => {
    for (const name of Object.keys(manifestIn(folder).dependencies)) {
      if (beside.has(name) || !existsSync(folderOf(name))) continue
      beside.add(name)
      add(folderOf(name))
    }
  }
  add(own)
  return { versionOf: packageName => `file:${folderOf(packageName)}`, beside: [...beside] }
}

function manifestIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly dependencies: { readonly [name: string]: string }
  }
}
