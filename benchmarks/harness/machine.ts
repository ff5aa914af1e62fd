import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, release, type } from 'node:os'
import { dirname, join } from 'node:path'
import type { Machine } from './results.ts'

export function machine(): Machine {
  const processors = cpus()
  return {
    node: `Node ${process.version.slice(1)}`,
    processor: processors[0]?.model.trim() ?? 'unknown processor',
    processors: processors.length,
    system: `${type()} ${release().split('-')[0]}`,
  }
}

/** Returns the installed version of each package. */
export function versions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, versionOf(name)]))
}

// This does not resolve `name/package.json`, because some packages do not export it.
function versionOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? []
  for (const path of paths) {
    try {
      const text = readFileSync(join(path, name, 'package.json'), 'utf8')
      return (JSON.parse(text) as { version: string }).version
    } catch {
      // The package is not in this folder, so the search continues in the parent folder.
    }
  }
  throw new Error(`${name} is not installed in any of ${paths.map(path => dirname(path)).join(', ')}`)
}
