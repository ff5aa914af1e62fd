import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bundler-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** Writes modules, bundles the first one, runs the bundle, and returns its output. */
async function output(modules: Readonly<Record<string, string>>, production?: boolean): Promise<string> {
  for (const [name, code] of Object.entries(modules)) writeFileSync(join(folder, name), code)
  const outfile = join(folder, `bundle-${++count}.mjs`)
  await build({
    entryPoints: [join(folder, Object.keys(modules)[0]!)],
    nodePaths: [fileURLToPath(new URL('../../../node_modules', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Node does not run decorators.
    target: 'node22',
    mainFields: ['module', 'main'],
    conditions: ['@signalbox/source'],
    logLevel: 'silent',
    outfile,
    plugins: production === undefined ? [] : [codecs.esbuild({ log: () => {}, production })],
  })
  const script = `await import(${JSON.stringify(pathToFileURL(outfile).href)})`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return stdout
}

const use = `
const Order = t.type({ id: t.string, lines: t.array(t.type({ count: t.Int })) })
console.log([{}, null, { id: 7, lines: [{ count: 1.5 }] }].map(value => JSON.stringify(problems(Order, value))).join())
`
const importProblems = "import { problems } from '@signalbox/codec'\n"

/** Returns the output without what io-ts expects, which it describes with words of its own. */
function places(output: string): string {
  return output.replaceAll(/"expected":"(?:\\"|[^"])*"/g, '')
}

describe('a bundle with the plugin reports problems in the same places as a bundle without it', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    [
      'starts with a hashbang',
      { 'a.js': `#!/usr/bin/env node\n${importProblems}import * as t from 'io-ts'${use}` },
    ],
    [
      'is CommonJS',
      {
        'a.cjs': `'use strict'\nconst { problems } = require('@signalbox/codec')\nconst t = require('io-ts')${use}`,
      },
    ],
    [
      'takes io-ts from a module that exports it again',
      { 'a.js': `${importProblems}import { t } from './t.js'${use}`, 't.js': "export * as t from 'io-ts'\n" },
    ],
    [
      'imports io-ts by the path of its main file',
      { 'a.js': `${importProblems}import * as t from 'io-ts/lib/index.js'${use}` },
    ],
    ['imports io-ts while it runs', { 'a.js': `${importProblems}const t = await import('io-ts')${use}` }],
    [
      'has decorators',
      {
        'a.ts': `${importProblems}import * as t from 'io-ts'\n@((_: unknown) => {}) class A {}\nnew A()${use}`,
      },
    ],
  ])('when a module %s', async (_, modules) => {
    const expected = await output(modules)
    expect(expected).toContain('"expected":"array"')
    expect(places(await output(modules, false))).toBe(places(expected))
    expect(places(await output(modules, true))).toBe(places(expected))
  })

  it.each([
    ['compiled', 't.type({ a: t.string })'],
    ['left as it is', 't.strict({ a: t.string })'],
    ['compiled and imported', 'Order'],
  ])('when a module of a cycle runs before the module with a codec that is %s', async (_, codec) => {
    const modules = {
      'a.js': `${importProblems}import * as t from 'io-ts'
import { Order } from './order.js'
import './b.js'
export function check(value) { return problems(${codec}, value) }`,
      'b.js': "import { check } from './a.js'\nconsole.log(JSON.stringify(check({ a: 1 })))",
      'order.js': "import * as t from 'io-ts'\nexport const Order = t.type({ a: t.string })",
    }
    const expected = await output(modules)
    expect(expected).toContain('"pointer":"/a"')
    expect(places(await output(modules, false))).toBe(places(expected))
  })
})

const order = 't.type({ id: t.string, tags: t.array(t.string) })'
const twice = "'tags=a&tags=b&id=1'"

describe('a function in a bundle with the plugin behaves as in a bundle without it', () => {
  const head = `import { problems } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { byType, get, json, loadBalancer, post } from '@signalbox/load-balancer'
import { openapi } from '@signalbox/load-balancer/openapi'
import { eachMessage, queue } from '@signalbox/queue'
import * as t from 'io-ts'
const show = value => console.log(JSON.stringify(value))
const refusal = make => { try { make(); show('accepted') } catch (error) { show(error.message) } }
const call = async (routes, method, path, more) => {
  const requestContext = { elb: { targetGroupArn: 'a' } }
  const event = { requestContext, httpMethod: method, path, headers: {}, body: '', isBase64Encoded: false, ...more }
  const answer = await signalbox(loadBalancer(routes))(event, {})
  show([answer.statusCode, answer.body])
}
const send = (routes, type, sent) => call(routes, 'POST', '/', { headers: { 'content-type': type }, body: sent })
`
  const form = 'application/x-www-form-urlencoded'
  const multipart = [
    ...['a', 'b'].map(tag => `--x\r\ncontent-disposition: form-data; name="tags"\r\n\r\n${tag}\r\n`),
    '--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--x--',
  ].join('')

  it.each<[string, string, string]>([
    [
      'a form has a field with several values',
      `await send([post('/', { accepts: ['form'], body: ${order} }, r => json(r.body))], '${form}', ${twice})`,
      '[200,',
    ],
    [
      'a body can be JSON or a form',
      `await send([post('/', { accepts: ['json', 'form'], body: ${order} }, r => json(r.body))], '${form}', ${twice})`,
      '[200,',
    ],
    [
      'the input of a route of forms contains other objects',
      `const common = { accepts: ['form'] }
await send([post('/', { ...common, body: ${order} }, r => json(r.body))], '${form}', ${twice})`,
      '[200,',
    ],
    [
      'the kinds of bodies are a constant',
      `const accepts = ['form']
await send([post('/', { accepts, body: ${order} }, r => json(r.body))], '${form}', ${twice})`,
      '[200,',
    ],
    [
      'one of several types is a form',
      `const types = byType({ 'application/json': ${order}, '${form}': ${order} })
await send([post('/', { body: types }, r => json(r.body))], '${form}', ${twice})`,
      '[200,',
    ],
    [
      'one of several types is a form with files',
      `const types = byType({ 'multipart/form-data': ${order} })
await send([post('/', { body: types }, r => json(r.body))], 'multipart/form-data; boundary=x', ${JSON.stringify(multipart)})`,
      '[200,',
    ],
    [
      'a form has a field that is no text',
      `refusal(() => loadBalancer([post('/', { accepts: ['form'], body: t.type({ n: t.number }) }, () => json(1))]))`,
      'body.n is number, but body has text only',
    ],
    [
      'the body of messages is no text',
      `const body = ${order}
refusal(() => queue({ body, onMessage() {} }))
refusal(() => queue({ body: t.UnknownRecord, onBatch() {} }))
refusal(() => eachMessage(body, () => {}))`,
      'body is a codec of JSON values',
    ],
    [
      'properties have the names of their codecs',
      `const body = ${order}
await send([post('/', { body }, r => json(r.body))], 'application/json', '{"id":"1","tags":[]}')`,
      '[200,',
    ],
    [
      'properties of a module with a function have the names of their codecs',
      `export function other() {}
const body = t.string
refusal(() => queue({ body, onMessage() {} }))`,
      'accepted',
    ],
    [
      'the names of its options are strings or computed',
      `const name = 'query'
const inputs = [
  get('/', { 'query': t.type({ tag: t.array(t.string) }) }, r => json(r.query)),
  get('/', { ['query']: t.type({ tag: t.array(t.string) }) }, r => json(r.query)),
  get('/', { [name]: t.type({ tag: t.array(t.string) }) }, r => json(r.query)),
]
for (const route of inputs) await call([route], 'GET', '/', { queryStringParameters: { tag: 'a' } })`,
      '[200,',
    ],
    [
      'a key of a codec is __proto__',
      `show([
  problems(t.type({ id: t.string, __proto__: t.string }), { id: 'x' }),
  problems(t.type({ id: t.string, '__proto__': t.string }), { id: 'x' }),
  problems(t.keyof({ __proto__: null, a: null }), '__proto__'),
])`,
      '[[],[],[{',
    ],
    [
      'an OpenAPI document describes its routes',
      `const Order = t.type({ id: t.string }, 'Order')
const Big = t.intersection([Order, t.partial({ n: t.number })], 'Big')
const Either = t.union([t.type({ a: t.string }), t.type({ b: t.string })], 'Either')
const routes = [
  post('/a', { body: Order }, () => json({})),
  post('/b', { body: Order, returns: { 200: Order } }, () => json({})),
  post('/c', { body: Big }, () => json({})),
  post('/d', { body: Either }, () => json({})),
  post('/e', { body: t.record(t.string, t.string, 'Texts') }, () => json({})),
]
show(openapi(routes, { info: { title: 'a', version: '1' } }))`,
      '#/components/schemas/Order"',
    ],
  ])('when %s', async (_, code, expected) => {
    const plain = await output({ 'a.js': head + code })
    expect(plain).toContain(expected)
    expect(places(await output({ 'a.js': head + code }, false))).toBe(places(plain))
  })
})

describe('the options of the plugin', () => {
  it.each<[unknown, string]>([
    [{ prodution: true }, 'has no option "prodution". Did you mean production?'],
    [{ minify: true }, 'has no option "minify". The options are log and production.'],
    [{ production: 'yes' }, 'The option production of the codecs plugin is a boolean, not string.'],
    [{ log: false }, 'The option log of the codecs plugin is a function, not boolean.'],
    ['production', 'takes an object of log and production.'],
    [null, 'takes an object of log and production.'],
  ])('refuses %j', (options, message) => {
    for (const plugin of [codecs.esbuild, codecs.rollup, codecs.vite])
      expect(() => plugin(options as never)).toThrow(message)
  })
})

it.each([
  ['compiles', 't.type({ a: t.string })'],
  ['leaves as they are', 't.strict({ a: t.string })'],
])('a source map has the source of a module whose codecs the plugin %s', async (_, codec) => {
  const entry = join(folder, 'mapped.js')
  const code = `${importProblems}import * as t from 'io-ts'\nconsole.log(problems(${codec}, 1))\n`
  writeFileSync(entry, code)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    format: 'esm',
    sourcemap: true,
    write: false,
    outdir: folder,
    plugins: [codecs.esbuild({ log: () => {} })],
  })
  const map = outputFiles.find(({ path }) => path.endsWith('.map'))!
  expect((JSON.parse(map.text) as { sourcesContent: string[] }).sourcesContent).toEqual([code])
})

it('tells the bundler which other modules a compiled module depends on', () => {
  writeFileSync(
    join(folder, 'line.js'),
    "import * as t from 'io-ts'\nexport const Line = t.type({ sku: t.string })",
  )
  writeFileSync(
    join(folder, 'order.js'),
    "import * as t from 'io-ts'\nimport { Line } from './line.js'\nexport const Order = t.array(Line)",
  )
  const files: string[] = []
  const { transform } = codecs.rollup() as unknown as {
    transform: (code: string, id: string) => unknown
  }
  transform.call(
    { addWatchFile: (file: string) => files.push(file) } as never,
    `${importProblems}import { Order } from './order.js'\nproblems(Order, [])`,
    join(folder, 'a.js'),
  )
  expect(files.map(file => file.slice(folder.length + 1))).toEqual(['order.js', 'line.js'])
})
