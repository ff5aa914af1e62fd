import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { type CodecsOptions, codecs } from './index.ts'
import { externalOf, opensSchemas } from './opens-schemas.ts'

describe('opensSchemas()', () => {
  it.each([
    ['it defines one', 'export const a = { "~standard": {} }', true],
    ['it converts codecs to schemas', "import { standard } from '@signalbox/codec'", true],
    ['it declares codecs by media type', "import { byType } from './routes.js'", true],
    ['it imports an external package', "import { a } from 'outside/a'", true],
    ['it requires an external package', 'const a=require("outside")', true],
    [
      'it imports only bundled and built-in modules',
      "import { a } from 'inside'; import fs from 'node:fs'; import './a.js'",
      false,
    ],
    ['it imports an external client of AWS', "import { a } from '@aws-sdk/client-sqs'", false],
  ])('decides correctly whether a module may contain schemas when %s', (_, code, expected) => {
    const isExternal = externalOf({ external: ['outside', '@aws-sdk/*'] })
    expect(opensSchemas(code, isExternal)).toBe(expected)
  })

  it('returns true only for package imports when esbuild treats all packages as external', () => {
    const isExternal = externalOf({ packages: 'external' })
    expect(opensSchemas("import { z } from 'zod'", isExternal)).toBe(true)
    expect(opensSchemas("import { z } from './zod.js'", isExternal)).toBe(false)
  })
})

describe('a bundle built with the plugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-schemas-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let count = 0

  /** Bundles a module, and returns the path of the bundle and the files in it. */
  async function bundled(code: string, options: CodecsOptions = {}) {
    const path = join(folder, 'handler.js')
    const outfile = join(folder, `bundle-${++count}.mjs`)
    writeFileSync(path, code)
    const { metafile } = await build({
      entryPoints: [path],
      nodePaths: [fileURLToPath(new URL('../../../node_modules', import.meta.url))],
      bundle: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      conditions: ['@signalbox/source'],
      external: ['outside'],
      outfile,
      metafile: true,
      plugins: [codecs.esbuild({ log: () => {}, ...options })],
    })
    const { inputs } = Object.values(metafile.outputs)[0]!
    return { outfile, files: Object.keys(inputs).filter(path => inputs[path]!.bytesInOutput > 0) }
  }

  it('checks bodies whose codec depends on the media type', async () => {
    const { outfile } = await bundled(`
      import { byType, json, loadBalancer, post } from '@signalbox/load-balancer'
      import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
      import { signalbox } from '@signalbox/core'
      import * as t from 'io-ts'
      const body = byType({ 'text/csv': t.string, 'application/json': t.type({ sku: t.string }) })
      const handler = signalbox(loadBalancer([post('/', { body }, ({ body }) => json(body.content))]))
      const answerTo = async (type, body) => {
        const event = httpEvent('POST', '/', { headers: { 'content-type': type }, body })
        const { status, json } = await exchange(handler, event)
        return [status, status === 200 ? json : json.problems[0].pointer]
      }
      export const answers = [
        await answerTo('text/csv', 'a;b'),
        await answerTo('application/json', '{"sku":"lamp"}'),
        await answerTo('application/json', '{"sku":7}'),
      ]`)
    const { answers } = (await import(outfile)) as { readonly answers: unknown }
    expect(answers).toEqual([
      [200, 'a;b'],
      [200, { sku: 'lamp' }],
      [400, '/sku'],
    ])
  })

  const use = "import { validate } from '@signalbox/codec'\nexport const result = validate(schema, 1)"

  it('contains schema support only if a schema of another library may be used', async () => {
    const understands = async (schema: string) =>
      (await bundled(`${schema}\n${use}`)).files.some(path => path.endsWith('schema-codec.ts'))
    expect(await understands("import * as t from 'io-ts'; const schema = t.string")).toBe(false)
    expect(await understands("import { schema } from 'outside'")).toBe(true)
    expect(await understands("import { string } from 'valibot'; const schema = string()")).toBe(true)
  })

  it.each([
    ["import { string } from 'valibot'; const schema = string()", 'Left', true],
    [
      "import { string } from 'valibot'; string(); import { number as t } from 'io-ts'; const schema = t",
      'Right',
      true,
    ],
    ["import { number as schema } from 'io-ts'", 'Right', false],
  ])(
    'supports schemas in production only if it needs to, with the code `%s`',
    async (schema, tag, supported) => {
      const { outfile, files } = await bundled(`${schema}\n${use}`, { production: true })
      expect(await import(outfile)).toMatchObject({ result: { _tag: tag } })
      const standard = files.filter(path => path.includes('codec/src/standard/'))
      expect(standard.length > 0).toBe(supported)
      // The words about an old zod look for the property, too, but do not call it.
      expect(/\[['"]~standard['"]\]/.test(readFileSync(outfile, 'utf8'))).toBe(supported)
    },
  )

  it('refuses a schema in production if the plugin did not see it', async () => {
    const schema = "const schema = { [['~stan', 'dard'].join('')]: { validate: value => ({ value }) } }"
    const { outfile } = await bundled(`${schema}\n${use}`, { production: true })
    await expect(import(outfile)).rejects.toThrow('Expected a codec of io-ts (no other schema), got object')
  })
})
