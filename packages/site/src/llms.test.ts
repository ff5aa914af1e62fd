import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sitePages, writeTextsForAgents } from './llms.ts'

const out = mkdtempSync(join(tmpdir(), 'site-'))
const read = (path: string) => readFileSync(join(out, path), 'utf8')
beforeAll(() => {
  // The build makes the pages of the API anew, maybe at this moment.
  const kept = sitePages().filter(page => !page.startsWith('packages/site/'))
  writeTextsForAgents(out, '/below/', kept)
})
afterAll(() => rmSync(out, { recursive: true }))

const linksIn = (text: string) =>
  [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/\]\(([^()\s]+)\)/g)].map(([, href]) => href!)

/** The files that llms.txt lists. */
const listed = () =>
  linksIn(read('llms.txt')).flatMap(href => (href.endsWith('.md') ? [href.replace('/below/', '')] : []))

it('llms.txt lists each page as Markdown, also those that the sidebar lacks', () => {
  expect(read('llms.txt')).toMatch(/^- \[Core\]\(\/below\/packages\/core\.md\): .*\.$/m)
  expect(listed()).toEqual(expect.arrayContaining(['index.md', 'deploy/index.md', 'decisions/mail.md']))
  expect(listed().filter(path => path.includes('node_modules'))).toEqual([])
  expect(new Set(listed()).size).toBe(listed().length)
  expect(listed().filter(path => !existsSync(join(out, path)))).toEqual([])
})

it('links of the Markdown lead to Markdown of the site, or elsewhere', () => {
  const wrong = listed().flatMap(path =>
    linksIn(read(path))
      .filter(href => {
        const [file = ''] = href.split('#')
        if (/^(?:https?:|mailto:|#)/.test(href)) return false
        return !file.startsWith('/below/') || !existsSync(join(out, file.replace('/below/', '')))
      })
      .map(href => `${path}: ${href}`),
  )
  expect(wrong).toEqual([])
  expect(read('quick-start.md')).toContain('](/below/platform/user-pools.md)')
  expect(read('packages/mail-flow.md')).toContain('](/below/milter.md)')
})
