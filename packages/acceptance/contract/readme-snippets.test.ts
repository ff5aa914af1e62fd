import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { problemsOf, root, type Snippet } from './snippets.ts'

/** Packages that snippets import and that are too large to install for this test. */
const notInstalled = /from '(?:@aws-sdk\/client-ses|@pulumi|aws-cdk-lib|constructs|testcontainers)|sst\.aws/

/**
 * Returns all snippets of a README. A snippet from an example is checked in the folder of that example, so that
 * its relative imports are found.
 */
function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts(?: (\S+)#\S+)?\n([\s\S]*?)\n```$/gm)].map(
    ({ 1: source, 2: code, index }) => {
      const line = text.slice(0, index).split('\n').length
      const folder = dirname(source ?? page)
      return { page, line, code: code!, file: join(root, folder, `readme-line-${line}.ts`) }
    },
  )
}

const pages = globSync(['packages/*/README.md', 'docs/**/*.md'], { cwd: root }).sort()
const snippets = pages.flatMap(snippetsOf).filter(({ code }) => !notInstalled.test(code))

describe('snippets of the READMEs of packages, and of the pages in docs', () => {
  const problems = problemsOf(snippets)

  it.each(snippets.map(({ page, line, file }) => [`${page}, line ${line}`, file]))(
    'the snippet in %s compiles with its own imports',
    (_place, file) => {
      expect(problems.get(file)).toEqual([])
    },
  )

  it('are found by this test, which counts more than 30', () => {
    expect(snippets.length).toBeGreaterThan(30)
  })

  it('do not compile without an import that they need', () => {
    const file = join(root, 'packages/queue/readme-line-1.ts')
    const wrong = { page: 'packages/queue/README.md', line: 1, code: 'queue({ onMessage: () => {} })', file }
    expect(problemsOf([wrong]).get(file)).toEqual(["Cannot find name 'queue'."])
  })
})
