import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-routes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const head = `
import { signalbox } from '@signalbox/core'
import { byType, get, group, json, loadBalancer, post } from '@signalbox/load-balancer'
import { openapi } from '@signalbox/load-balancer/openapi'
import * as t from 'io-ts'
export { httpEvent } from '@signalbox/load-balancer/testing'
`

const api = `${head}
const Page = t.partial({ tag: t.array(t.string), page: t.string })
const Form = t.type({ name: t.string, color: t.array(t.string) })
export const routes = [
  get('/items/{id}', { params: t.type({ id: t.keyof({ a: null, b: null }) }) }, ({ params }) => json(params.id)),
  group('/search', [], ({ get }) => [
    get('/', { query: Page, returns: { 200: Page, 204: null } }, ({ query }) => json(query)),
  ]),
  get(
    '/agent',
    { headers: t.type({ 'x-agent': t.array(t.string) }), cookies: t.type({ user: t.string }) },
    ({ headers, cookies }) => json([headers['x-agent'], cookies.user]),
  ),
  post('/form', { body: Form, accepts: ['form'] }, ({ body }) => json(body)),
  post('/any', { body: byType({ 'application/x-www-form-urlencoded': Form }) }, ({ body }) => json(body)),
]
export const handler = signalbox(loadBalancer(routes))
export const document = JSON.stringify(openapi(routes, { info: { title: 'Search', version: '1' } }))
`

interface Bundle {
  readonly httpEvent: (method: string, path: string, options: object) => object
  readonly handler: (event: object, context: object) => Promise<object>
  readonly document: string
}

/** Bundles the API, and returns its exports, the files in the bundle and the messages of the plugin. */
async function bundled(name: string, code: string, isCompiled: boolean) {
  const entry = join(folder, `${name}.ts`)
  const outfile = join(folder, `${name}-${isCompiled ? 'compiled' : 'plain'}.mjs`)
  writeFileSync(entry, code)
  const log: string[] = []
  const { metafile } = await build({
    entryPoints: [entry],
    nodePaths: [fileURLToPath(new URL('../../../node_modules', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['@signalbox/source'],
    outfile,
    metafile: true,
    plugins: isCompiled ? [codecs.esbuild({ log: line => log.push(line) })] : [],
  })
  const { inputs } = Object.values(metafile.outputs)[0]!
  const files = Object.keys(inputs).filter(path => inputs[path]!.bytesInOutput > 0)
  return { outfile, files, log }
}

describe('a bundle with the compiled codecs of routes', () => {
  it.each([
    ['single headers', false],
    ['multi-value headers', true],
  ])('reads requests with %s as without the plugin, and has no io-ts', async (_, multiValue) => {
    const plain = await bundled('api', api, false)
    const compiled = await bundled('api', api, true)
    expect(compiled.log).toEqual([])
    expect(compiled.files.filter(file => /node_modules\/io-ts/.test(file))).toEqual([])
    const one = (await import(plain.outfile)) as Bundle
    const other = (await import(compiled.outfile)) as Bundle
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const [method, path, options, status] of [
      ['GET', '/items/a', {}, 200],
      ['GET', '/items/c', {}, 400],
      ['GET', '/search?tag=x&tag=y&page=1&page=2', {}, 200],
      ['GET', '/search', {}, 200],
      ['GET', '/agent', { headers: { 'x-agent': ['a', 'b'], cookie: 'user=u' } }, 200],
      ['GET', '/agent', {}, 400],
      ['POST', '/form', { headers: form, body: 'name=a&color=b&color=c' }, 200],
      ['POST', '/form', { headers: form, body: 'color=b' }, 400],
      ['POST', '/any', { headers: form, body: 'name=a&color=b' }, 200],
    ] as const) {
      const event = one.httpEvent(method, path, { multiValue, ...options })
      const answer = await other.handler(event, {})
      expect([path, answer]).toEqual([path, await one.handler(event, {})])
      expect([path, answer]).toMatchObject([path, { statusCode: status }])
    }
    expect(other.document).toBe(one.document)
  })

  it('refuses a field that is not text, as without the plugin', async () => {
    const code = `${head}loadBalancer([get('/', { query: t.type({ page: t.number }) }, () => json(1))])`
    for (const isCompiled of [false, true]) {
      const { outfile } = await bundled('number', code, isCompiled)
      await expect(import(outfile)).rejects.toThrow('page is number, but query has text only')
    }
  })
})
