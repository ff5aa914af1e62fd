import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const folder = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(`${folder}/README.md`, 'utf8')
const snippets = [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, code]) => code!)
// Snippets with tests are omitted, because they import the handler of an application that does not exist
// here.
const programs = snippets.filter(code => !code.includes("from 'vitest'"))

describe('the README of the load-balancer package', () => {
  it('starts every snippet with an import', () => {
    expect(snippets.length).toBeGreaterThan(3)
    for (const code of snippets) expect(code).toMatch(/^import /)
  })

  it.each(programs.map((code, index) => [index + 1, code] as const))(
    'contains program %i, which runs without an error',
    (_, code) => {
      const options = ['--conditions=@signalbox/source', '--input-type=module-typescript', '-e', code]
      execFileSync(process.execPath, options, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } })
    },
  )

  it('has only links that also work on the website of a package registry', () => {
    for (const [, target] of text.matchAll(/\]\(([^)]+)\)/g)) expect(target).toMatch(/^(https:|#)/)
  })
})
