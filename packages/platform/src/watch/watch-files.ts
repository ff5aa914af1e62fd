import { basename, sep } from 'node:path'
import { watch } from 'chokidar'

/** Milliseconds for which changes are gathered, so that saving several files, or one in steps, is one change. */
const gather = 30

/** Tells of files that are saved in some folders, but for those of packages, of tools (a leading dot), and `except`. */
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
    ignored: path =>
      !roots.has(path) &&
      (path === except ||
        (except !== undefined && path.startsWith(except + sep)) ||
        basename(path) === 'node_modules' ||
        basename(path).startsWith('.')),
  })
  watcher.on('all', (_event, path) => {
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
