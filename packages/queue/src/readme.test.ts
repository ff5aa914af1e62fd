import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const folder = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(`${folder}/README.md`, 'utf8')
const snippets = [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, code]) => code!)
// A snippet that tests the handler of an application needs that application, so it cannot run here.
const programs = snippets.filter(code => !code.includes("from 'vitest'"))

describe('the README of the queue package', () => {
  it('starts every snippet with an import', () => {
    expect(snippets.length).toBeGreaterThan(3)
    for (const code of snippets) expect(code).toMatch(/^import /)
  })

  it('contains only programs that run without errors', () => {
    const options = ['--conditions=@signalbox/source', '--input-type=module-typescript', '-e']
    const env = { ...process.env, NODE_OPTIONS: '' }
    const run = (code: string) => execFileSync(process.execPath, [...options, code], { cwd: folder, env })
    for (const code of programs) expect(() => run(code)).not.toThrow()
  })

  it('has only absolute links', () => {
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target)
    for (const target of targets) expect(target).toMatch(/^(https:|#)/)
  })
})
