import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

/**
 * Puts what a project outside the repository depends on into its `node_modules`, as far as the repository has it installed:
 * packages of other vendors, also those that our packages need, but not our packages. `npm install` then installs only what
 * is missing. The files are links, because npm takes seconds to unpack thousands of them.
 */
export function linkDependencies(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  // Without a package that another one needs, npm would not notice, so each is there.
  for (const path of closure(names)) if (path.startsWith('node_modules/')) linkFiles(path, join(folder, path))
}

/** Returns the folders of these packages and of all that they need, as the lockfile places them. */
function closure(names, from = '', found = new Set()) {
  for (const name of names) {
    let path = placeOf(name, from)
    if (path === undefined) continue
    const { link, resolved } = packages[path]
    if (link) path = resolved
    if (found.has(path) || !existsSync(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(peer => !peerDependenciesMeta[peer]?.optional)
    closure([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers], path, found)
  }
  return found
}

/** Returns where Node finds a package that a package at `from` imports. */
function placeOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}

/** Links the files of a package, without the packages in it. */
function linkFiles(from, to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkFiles(source, target)
    } else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!existsSync(target)) link(source, target)
  }
}

function link(source, target) {
  try {
    linkSync(source, target)
  } catch {
    // Another file system.
    copyFileSync(source, target)
  }
}
