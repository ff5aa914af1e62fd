import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the application into a folder, as the package's build does. */
export function buildWeb(folder: string): void {
  const vite = dirname(createRequire(import.meta.url).resolve('vite/package.json'))
  execFileSync(
    process.execPath,
    [join(vite, 'bin/vite.js'), 'build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'],
    { cwd: root, stdio: 'pipe' },
  )
}
