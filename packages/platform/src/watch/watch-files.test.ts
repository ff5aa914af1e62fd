import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { watchFiles } from './watch-files.ts'

async function watching(prepare: (root: string) => readonly string[] = root => [root]) {
  const folder = temporaryFolder()
  const at = (...names: string[]) => join(folder.path, ...names)
  for (const name of ['node_modules', 'site-packages', '.cache', 'src', 'data']) mkdirSync(at(name))
  const seen = new Set<string>()
  const watcher = await watchFiles(prepare(folder.path), at('data'), files => {
    for (const file of files) seen.add(file)
  })
  return {
    at,
    seen,
    write: (...names: string[]) => writeFileSync(at(...names), String(Math.random())),
    /** Resolves once a change to the file at this path is reported. */
    async tells(...names: string[]) {
      while (!seen.has(at(...names))) await new Promise(resolve => setTimeout(resolve, 5))
    },
    async [Symbol.asyncDispose]() {
      await watcher.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('watchFiles', () => {
  it.each([
    'a.ts',
    'a.mts',
    'a.cts',
    'a.js',
    'a.mjs',
    'a.cjs',
    'a.json',
    'a.py',
    'a.go',
    'a.sh',
    'A.java',
    'a.jar',
  ])('reports that %s was saved', async name => {
    await using folder = await watching()
    folder.write('src', name)
    await folder.tells('src', name)
  })

  const isWindows = process.platform === 'win32'
  const onUnix = isWindows ? it.skip : it
  onUnix(
    `reports a program without an extension${isWindows ? ' (skipped: needs executable files)' : ''}`,
    async () => {
      await using folder = await watching()
      // A compiler replaces the file.
      writeFileSync(folder.at('data', 'new'), '', { mode: 0o755 })
      renameSync(folder.at('data', 'new'), folder.at('src', 'bootstrap'))
      await folder.tells('src', 'bootstrap')
    },
  )

  it('reports a replaced file and a deleted file', async () => {
    await using folder = await watching()
    folder.write('src', 'new.txt')
    renameSync(folder.at('src', 'new.txt'), folder.at('src', 'a.ts'))
    await folder.tells('src', 'a.ts')
    folder.seen.clear()
    rmSync(folder.at('src', 'a.ts'))
    await folder.tells('src', 'a.ts')
  })

  it('ignores logs, data files, installed packages and hidden folders', async () => {
    await using folder = await watching()
    for (const name of ['out.log', 'out.txt', 'a.ts~', 'shop.sqlite', 'json', 'a.ts.tmp', 'a.pyc'])
      folder.write(name)
    for (const name of ['data', 'node_modules', 'site-packages', '.cache']) folder.write(name, 'a.ts')
    folder.write('.hidden.ts')
    mkdirSync(folder.at('folder.ts'))
    folder.write('src', 'last.ts')
    await folder.tells('src', 'last.ts')
    expect([...folder.seen]).toEqual([folder.at('src', 'last.ts')])
  })

  it('watches a configured folder even if its name has a leading dot', async () => {
    await using folder = await watching(root => [join(root, '.cache')])
    folder.write('src', 'a.ts')
    folder.write('.cache', 'a.ts')
    await folder.tells('.cache', 'a.ts')
    expect(folder.seen.size).toBe(1)
  })
})
