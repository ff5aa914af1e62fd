import { fstatSync, type Stats, statSync } from 'node:fs'
import { basename, extname, sep } from 'node:path'
import { watch } from 'chokidar'

/**
 * Milliseconds for which changes are collected. Several changes within this time count as one, for example when a
 * file is saved in several steps.
 */
const gather = 30

/** The extensions of files that functions import: JSON, and code in any language that a function may have. */
const imported =
  /\.(?:[mc]?[jt]s|json|py|go|sh|bash|rb|php|p[lm]|lua|java|kts?|scala|groovy|clj|jar|class|rs|c|cc|cpp|h|hpp|zig|swift|cs|fs|dll|exs?|dart|r|jl|awk|jq)$/i

/** The folders of installed packages. */
const installed = ['node_modules', 'site-packages']

/**
 * Reports when a file of code or JSON, or a program without an extension, is saved in one of the folders. Ignores
 * installed packages, folders with a leading dot, and `except`. Also ignores all other files, such as logs and databases,
 * because they may change at any time.
 */
export async function watchFiles(
  folders: readonly string[],
  except: string | undefined,
  changed: (files: readonly string[]) => void,
): Promise<{ readonly close: () => Promise<void> }> {
  const roots = new Set(folders)
  const files = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const watcher = watch([...roots], {
    ignoreInitial: true,
    ignored: (path, stats) =>
      !roots.has(path) &&
      (path === except ||
        (except !== undefined && path.startsWith(except + sep)) ||
        installed.includes(basename(path)) ||
        basename(path).startsWith('.') ||
        (stats?.isFile() === true && !isCode(path, stats))),
  })
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir' || isOwnOutput(path)) return
    files.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const gathered = [...files]
      files.clear()
      changed(gathered)
    }, gather)
  })
  await new Promise<void>(resolve => watcher.once('ready', () => resolve()))
  return {
    async close() {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}

/** Returns whether a function may consist of a file. A program without an extension may be what a compiler wrote. */
function isCode(path: string, { mode }: Stats): boolean {
  return imported.test(path) || (extname(path) === '' && (mode & 0o111) !== 0)
}

/** Returns whether a path is the output file of this process. */
function isOwnOutput(path: string): boolean {
  const file = statOf(() => statSync(path))
  return (
    file !== undefined &&
    [1, 2].some(output => {
      const own = statOf(() => fstatSync(output))
      return own?.isFile() === true && own.ino === file.ino && own.dev === file.dev
    })
  )
}

function statOf(read: () => Stats): Stats | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
