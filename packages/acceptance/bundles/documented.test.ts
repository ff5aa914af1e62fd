import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const packages = join(import.meta.dirname, '../..')

/** The entries of each package that functions import, without builders of events, which are only for tests. */
const entries: { readonly [family: string]: readonly string[] } = {
  queue: [''],
  'user-pool': [''],
  'mail-flow': [''],
  'load-balancer': [
    ...['', '/balancer-identity', '/bearer', '/client', '/middy-router'],
    ...['/openapi', '/openapi-page', '/protected-resource', '/session', '/static-files'],
  ],
  aws: [''],
  core: ['', '/event-signature', '/payload', '/sqlite-store'],
  codec: ['', '/json-schema', '/wire'],
}

/** Returns the names in the first column of the tables of a page: exports, options, fields, and errors. */
function namesInTables(page: string): readonly string[] {
  const cells = [...page.matchAll(/^\| +(`[^|]+?) +\|/gm)].map(([, cell]) => cell!)
  const names = cells.flatMap(cell =>
    [...cell.matchAll(/`(?:actions\.)?([A-Za-z]\w*)(?=[`(])/g)].map(([, name]) => name!),
  )
  return [...new Set(names)]
}

/** Returns the features of a package. Those of `load-balancer` are in three files. */
function codeOf(family: string): string {
  const files = family === 'load-balancer' ? ['load-balancer', 'http-sign-in', 'middy'] : [family]
  return files.map(file => readFileSync(join(import.meta.dirname, `features/${file}.ts`), 'utf8')).join('\n')
}

describe.each(Object.keys(entries))('the features of %s', family => {
  const page = readFileSync(join(packages, family, 'README.md'), 'utf8')
  const code = codeOf(family)
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(code)

  it('use every documented export', async () => {
    const exported: string[] = []
    for (const entry of entries[family]!)
      exported.push(...Object.keys((await import(`@signalbox/${family}${entry}`)) as object))
    const documented = exported.filter(name => new RegExp(`\\b${name}\\b`).test(page))
    expect(documented.length).toBeGreaterThan(5)
    expect(documented.filter(name => !isUsed(name))).toEqual([])
  })

  it('use every option and member in the tables of its README', () => {
    // The middleware warmup of middy is refused.
    expect(namesInTables(page).filter(name => !isUsed(name) && name !== 'warmup')).toEqual([])
  })
})

it('the features of load-balancer use every middleware of middy that works', () => {
  const page = readFileSync(join(packages, 'load-balancer/README.md'), 'utf8')
  const code = codeOf('load-balancer')
  const working = [...page.matchAll(/^\| `([a-z-]+)` +\| works/gm)].map(([, name]) => `@middy/${name}`)
  expect(working.length).toBeGreaterThan(10)
  expect(working.filter(name => !code.includes(`'${name}'`))).toEqual([])
})
