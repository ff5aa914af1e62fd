import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const exclude = ['**/node_modules/**', '**/dist/**']
const filesLike = (...patterns: readonly string[]) => globSync([...patterns], { cwd: root, exclude }).sort()

const code = filesLike('packages/*/src/**/*.ts', 'packages/acceptance/**/*.ts')
const pages = filesLike('*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md', 'benchmarks/*.md')

/** Returns the cells of each row of a page's tables, without headings. */
const rowsOf = (page: string) =>
  [...textOf(page).matchAll(/^\| (.*) \|$/gm)]
    .map(([, row]) => row!.split(' | ').map(cell => cell.trim()))
    .filter(([first]) => !/^-+$/.test(first!))

describe('docs/decisions', () => {
  const index = rowsOf('docs/decisions/README.md').slice(1)
  const decisions = filesLike('docs/decisions/*.md')
    .map(file => basename(file))
    .filter(file => file !== 'README.md')

  it('has an index of every page and of every section', () => {
    const listed = index.map(([page, , sections]) => [page, ...sections!.split(', ')])
    const written = decisions.map(file => {
      const text = textOf(`docs/decisions/${file}`)
      const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title!)
      return [
        `[${/^# (.*)/.exec(text)![1]}](${file})`,
        ...sections.map(title => `[${title}](${file}#${anchorOf(title)})`),
      ]
    })
    expect(listed.sort()).toEqual(written.sort())
    for (const [, line] of index) expect(line).toMatch(/^.{20,}\.$/)
  })

  it('has at most twelve pages', () => {
    expect(decisions.length).toBeLessThanOrEqual(12)
  })

  it('contains only pages that a file outside the folder refers to', () => {
    const elsewhere = [...code, ...pages, ...filesLike('.ci/*.js')]
      .filter(file => !file.startsWith('docs/decisions/'))
      .map(textOf)
      .join('\n')
    expect(decisions.filter(file => !elsewhere.includes(`decisions/${file}`))).toEqual([])
  })
})

/** Returns citations of a page, such as `docs/contract/queue.md#limits` in code, and `](../access.md)` in a page. */
function citationsOf(file: string) {
  const text = textOf(file)
  const cited = [...text.matchAll(/\b(docs\/(?:contract|decisions)\/[\w-]+\.md)(?:#([\w.%-]*\w))?/g)]
  const linked = pages.includes(file) ? [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)] : []
  return [
    ...cited.map(([citation, page, anchor]) => ({ citation, page: page!, anchor })),
    ...linked.map(([citation, page, anchor]) => ({
      citation,
      page: page === '' ? file : join(dirname(file), page!),
      anchor,
    })),
  ]
}

it('links to pages point to existing files and anchors', () => {
  const broken = [...code, ...pages].flatMap(file =>
    citationsOf(file)
      .filter(({ page, anchor }) => {
        if (!existsSync(join(root, page))) return true
        return anchor !== undefined && page.endsWith('.md') && !anchorsOf(page).has(anchor)
      })
      .map(({ citation }) => `${file}: ${citation}`),
  )
  expect(broken).toEqual([])
})

const anchors = new Map<string, ReadonlySet<string>>()

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page)
  if (known !== undefined) return known
  const text = textOf(page)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!))
  const found = new Set([...headings, ...[...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id!)])
  anchors.set(page, found)
  return found
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

it('the first paragraph of every package’s README says what the package imports', () => {
  const hasCode = (file: string) =>
    Object.hasOwn(JSON.parse(textOf(file.replace('README.md', 'package.json'))).exports ?? {}, '.')
  const silent = filesLike('packages/*/README.md').filter(
    file => hasCode(file) && !/\bimports?\b/.test(textOf(file).split('\n\n')[1]!),
  )
  expect(silent).toEqual([])
})

it('code and docs refer to a contract page by its name, not by a letter such as "contract A"', () => {
  const letters = [...code, ...pages].filter(file => /\b[Cc]ontract [A-D]\b(?!\/)/.test(textOf(file)))
  expect(letters.filter(file => !file.endsWith('docs.test.ts'))).toEqual([])
})

it('the source code declares no name that docs/glossary.md says to avoid', () => {
  const [, table] = textOf('docs/glossary.md').split('## Words to avoid')
  const words = [...table!.matchAll(/`(\w+)`/g)].map(([, word]) => word!).join('|')
  expect(words.split('|').length).toBeGreaterThan(10)
  const declared = new RegExp(`\\b(?:const|let|function|interface|type|readonly) (?:${words})\\b`)
  const product = code.filter(file =>
    /^packages\/[^/]+\/src\/(?!.*(?:testing\/|\.test\.|\.tst\.|\.fuzz\.))/.test(file),
  )
  expect(product.filter(file => declared.test(textOf(file)))).toEqual([])
})
