import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const source = /\.[cm]?[jt]sx?$/
const declarations = /\.d\.[cm]?ts$/
const otherFolders = new Set(['node_modules', 'dist', 'build', 'coverage'])

/** Whether a path has the ending of a source in JavaScript or TypeScript. */
export function isSource(path: string): boolean {
  return source.test(path) && !isDeclarations(path)
}

/** Whether a path has the ending of declarations of types, which have no code. */
export const isDeclarations = (path: string): boolean => declarations.test(path)

/** Whether a folder is at a path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

/**
 * Returns the sources below a folder, in alphabetical order, as paths relative to it. Dependencies, builds and folders whose
 * names start with a dot are left out, and links to folders are not followed.
 * @throws an error of the file system when a folder cannot be read
 */
export async function sourcesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  for (const entry of entries) {
    const { name } = entry
    if (entry.isFile() && isSource(name)) found.push(name)
    if (!entry.isDirectory() || name.startsWith('.') || otherFolders.has(name)) continue
    for (const each of await sourcesBelow(join(folder, name))) found.push(join(name, each))
  }
  return found
}
