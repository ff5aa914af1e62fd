import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

/** Returns the part of a source file between `// #region name` and `// #endregion name`, without its indentation. */
function region(file: string, name: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.findIndex(line => line.trim() === `// #region ${name}`)
  const end = lines.findIndex(line => line.trim() === `// #endregion ${name}`)
  if (start < 0 || end < start) throw new Error(`${file} has no region ${name}`)
  const body = lines.slice(start + 1, end).filter(line => !/^\s*\/\/ #(end)?region /.test(line))
  const indent = Math.min(
    ...body.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length),
  )
  return body.map(line => line.slice(indent)).join('\n')
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('packages/*/README.md').sort(),
  ...globSync('docs/**/*.md').sort(),
]

describe.each(pages)('%s', page => {
  const text = readFileSync(page, 'utf8')
  const fences = [...text.matchAll(/^```ts (\S+)#(\S+)\n([\s\S]*?)\n```$/gm)]

  it('shows the current code of every source file that it quotes', () => {
    for (const [, file, name, code] of fences) expect(code).toBe(region(file!, name!))
    if (page === 'README.md') expect(fences.length).toBeGreaterThan(0)
  })

  it('links only to existing files', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      link => link[1]!,
    )
    const folder = page.includes('/') ? page.slice(0, page.lastIndexOf('/') + 1) : ''
    const missing = links.filter(link => globSync(folder + link).length === 0)
    expect(missing).toEqual([])
  })
})

/** The READMEs of the packages, which are the only pages that the npm registry shows. */
const published = globSync('packages/*/README.md').sort()

describe.each(published)('%s as published', page => {
  const text = readFileSync(page, 'utf8')

  it('has only absolute links', () => {
    for (const [, target] of text.matchAll(/\]\(([^)]+)\)/g)) expect(target).toMatch(/^(https:|#)/)
  })

  it('has only snippets that import every name they use', () => {
    for (const [, code] of text.matchAll(/^```ts.*\n([\s\S]*?)\n```$/gm)) expect(code).toMatch(/^import /m)
  })
})
