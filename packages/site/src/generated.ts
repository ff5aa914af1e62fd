import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readApi } from './api.ts'
import { apiPage } from './api-page.ts'
import { repository } from './pages.ts'

/** The folder of the pages that are made from code and not kept, as a path in the repository. */
const folder = 'packages/site/generated'

/** Writes the pages that are made from code: the API of each package, and the changelog. */
export function writeGeneratedPages(): void {
  rmSync(join(repository, folder), { recursive: true, force: true })
  mkdirSync(join(repository, folder, 'api'), { recursive: true })
  const { packages, checker } = readApi()
  for (const each of packages) writePage(`api/${each.folder}.md`, apiPage(each, checker))
  writePage('changelog.md', changelog())
}

function writePage(name: string, text: string): void {
  writeFileSync(join(repository, folder, name), text)
}

/** Returns what changes of each package are not released yet, and the changelogs of those that are. */
function changelog(): string {
  const waiting = globSync('.changeset/*.md', { cwd: repository })
    .sort()
    .flatMap(path => {
      const [, head, text] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(path)) ?? []
      const [, name] = /['"](.+?)['"]/.exec(head ?? '') ?? []
      return name === undefined ? [] : [`### ${name}\n\n${text!.trim()}`]
    })
  const released = globSync('packages/*/CHANGELOG.md', { cwd: repository })
    .sort()
    .map(path => read(path).replaceAll(/^#/gm, '##').trim())
  return [
    '# Changelog',
    ...(waiting.length === 0 ? [] : ['## Not released yet', ...waiting]),
    ...released,
    '',
  ].join('\n\n')
}

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
