import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const exclude = ['**/node_modules/**', '**/dist/**']
const filesLike = (...patterns: readonly string[]) => globSync([...patterns], { cwd: root, exclude }).sort()

const code = filesLike('packages/*/src/**/*.ts', 'packages/platform/{contract,soak}/**/*.ts')
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

  it('has an index that gives the title, the date, the status and a summary of each page', () => {
    expect(index.map(([link]) => link).sort()).toEqual(
      decisions.map(file => `[${/^# (.*)/.exec(textOf(`docs/decisions/${file}`))![1]}](${file})`).sort(),
    )
    for (const [, date, status, line] of index) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(status).toMatch(/^(?:accepted|replaced by .*)$/)
      expect(line).toMatch(/^.{20,}\.$/)
    }
  })

  it('contains only pages that a file outside the folder refers to', () => {
    const elsewhere = [...code, ...pages, ...filesLike('.ci/*.js')]
      .filter(file => !file.startsWith('docs/decisions/'))
      .map(textOf)
      .join('\n')
    expect(decisions.filter(file => !elsewhere.includes(`decisions/${file}`))).toEqual([])
  })
})

it('links to pages of docs/contract and docs/decisions point to existing files and anchors', () => {
  const broken = [...code, ...pages].flatMap(file =>
    [...textOf(file).matchAll(/\bdocs\/((?:contract|decisions)\/[\w-]+\.md)(?:#([\w.%-]*\w))?/g)]
      .filter(([, page, anchor]) => {
        if (globSync(`docs/${page}`, { cwd: root }).length === 0) return true
        return anchor !== undefined && !anchorsOf(`docs/${page}`).has(anchor)
      })
      .map(([citation]) => `${file}: ${citation}`),
  )
  expect(broken).toEqual([])
})

const anchors = new Map<string, ReadonlySet<string>>()

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page)
  if (known !== undefined) return known
  const text = textOf(page)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  const found = new Set([...headings, ...[...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id!)])
  anchors.set(page, found)
  return found
}

it('the first paragraph of every package’s README says what the package imports', () => {
  const silent = filesLike('packages/*/README.md').filter(
    file => !/\bimports?\b/.test(textOf(file).split('\n\n')[1]!),
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
