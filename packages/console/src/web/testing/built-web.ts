import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the application into a folder, in the same way as the package build. */
export function buildWeb(folder: string): void {
  const vite = dirname(createRequire(import.meta.url).resolve('vite/package.json'))
  execFileSync(
    process.execPath,
    [join(vite, 'bin/vite.js'), 'build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'],
    // Jest sets another NODE_ENV, for which vite would build React with its checks for developers.
    { cwd: root, stdio: 'pipe', env: { ...process.env, NODE_ENV: 'production' } },
  )
}

/**
 * Builds the application into the folder from which a platform serves it. Each file is moved into place
 * atomically, because several tests build and serve it at the same time.
 */
export function buildServedWeb(): void {
  const dist = join(root, 'dist')
  mkdirSync(join(dist, 'web/assets'), { recursive: true })
  const built = mkdtempSync(join(dist, 'built-web-'))
  try {
    buildWeb(built)
    const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name)
      renameSync(path, join(dist, 'web', path.slice(built.length)))
    }
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}
