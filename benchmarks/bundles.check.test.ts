import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Bundle, bundle } from './cold/bundle.ts'
import { budgets, coldContenders } from './cold/contenders.ts'
import { type Family, families } from './cold/families.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// Builds the packages, because a bundle contains their published files. Only a build generates guards in
// advance. The sources compile guards at run time.
beforeAll(() => {
  const turbo = join(root, 'node_modules/.bin/turbo')
  const filters = ['bundler', 'queue', 'user-pool', 'mail-flow', 'load-balancer', 'telemetry'].map(
    name => `--filter=@signalbox/${name}`,
  )
  const env = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  }
  execFileSync(turbo, ['run', 'build', '--output-logs=errors-only', ...filters], { cwd: root, env })
})

describe.each(Object.entries(budgets))('the bundle of %s', (file, { held, heldCompiled, ioTs }) => {
  let made: Bundle
  beforeAll(async () => {
    made = await bundle(file)
  })

  it(`has at most ${held} bytes when minified`, () => {
    expect(made.code.byteLength).toBeLessThanOrEqual(held)
  })

  it(`has at most ${heldCompiled} bytes with compiled codecs, and contains neither io-ts nor generated code`, async () => {
    const { code, files } = await bundle(file, true)
    expect(code.byteLength).toBeLessThanOrEqual(heldCompiled)
    const needless = Object.keys(files).filter(
      path => files[path]! > 0 && /\/io-ts\/es6|generate\.js/.test(path),
    )
    expect(needless).toEqual([])
  })

  it('contains no ajv, no jose, no fp-ts index module, and no CommonJS build of io-ts or fp-ts', () => {
    const files = Object.keys(made.inputs)
    expect(files.filter(path => /node_modules\/(ajv|jose)\//.test(path))).toEqual([])
    expect(files.filter(path => /node_modules\/fp-ts\/(lib|es6)\/index\.js$/.test(path))).toEqual([])
    expect(files.filter(path => /node_modules\/(io|fp)-ts\/lib\//.test(path))).toEqual([])
  })

  it(`contains ${ioTs ? 'only the parts of io-ts that its codecs need' : 'no io-ts code'}`, () => {
    const bytes = made.parts['io-ts'] ?? 0
    expect(bytes > 0).toBe(ioTs)
    expect(bytes).toBeLessThan(8_550)
  })
})

// Only these files have code for schemas of other libraries and for optional features of HTTP APIs.
const optional =
  /codec\/dist\/json-schema\/|load-balancer\/dist\/(?:openapi|client|middy-router|session|protected-resource|bearer|balancer-identity|static-files)\/|\/(?:rate-limit|security-headers|once)\.js$/

it.each(Object.keys(budgets))(
  'the production bundle of %s contains no code of features that it does not use',
  async file => {
    const { files } = await bundle(file, true)
    expect(Object.keys(files).filter(path => files[path]! > 0 && optional.test(path))).toEqual([])
  },
)

it.each(Object.keys(budgets))(
  'the bundle of %s without the plugin has at most 2,400 bytes of code for schemas, and none if the family takes no codec',
  async file => {
    const { files } = await bundle(file)
    const schemas = Object.keys(files).filter(path => path.includes('codec/dist/schemas/'))
    const bytes = schemas.reduce((sum, path) => sum + files[path]!, 0)
    expect(bytes).toBeLessThanOrEqual(/^(?:user-pool|mail-flow)/.test(file) ? 0 : 2400)
  },
)

it('the minified typed client is smaller than 2.2 kB and imports nothing', async () => {
  const source = import.meta.resolve('@signalbox/load-balancer/client').replace(/\.ts$/, '')
  const { code, inputs } = await bundle(source, false, ['@signalbox/source'])
  expect(code.byteLength).toBeLessThan(2_200)
  expect(Object.keys(inputs)).toHaveLength(2)
})

it('io-ts codecs can still be compiled after minification', async () => {
  const { code } = await bundle('signalbox-codec')
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bundle-'))
  const path = join(folder, 'codec.mjs')
  writeFileSync(path, code)
  const { Function: original } = globalThis
  const generated: string[] = []
  try {
    const { handler } = (await import(path)) as { handler: (event: unknown) => Promise<{ is: boolean }> }
    globalThis.Function = function noting(...texts: string[]) {
      generated.push(texts.at(-1)!)
      return original(...texts)
    } as never
    expect(await handler({ id: 'a', items: [{ sku: 'b', quantity: 2 }] })).toMatchObject({ is: true })
    expect(await handler({ id: 'a', items: [{ sku: 'b' }] })).toMatchObject({ is: false })
  } finally {
    globalThis.Function = original
    rmSync(folder, { recursive: true })
  }
  expect(generated).toHaveLength(1)
  // The generated code does not call io-ts guards.
  expect(generated[0]).not.toContain('.is(')
})

describe.each(coldContenders.filter(({ role }) => role === 'ours'))(
  'the bundled handler "$name"',
  ({ file, compiled }) => {
    const family = families[file.split('/')[0] as keyof typeof families] as Family | undefined
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-answers-'))
    afterAll(() => rmSync(folder, { recursive: true }))

    it('gives the same answers with and without code generation from strings', async () => {
      if (family === undefined) return
      const path = join(folder, 'handler.mjs')
      const questions = join(folder, 'questions.json')
      writeFileSync(path, (await bundle(file, compiled)).code)
      writeFileSync(questions, JSON.stringify(family.questions))
      const answers = [[], ['--disallow-code-generation-from-strings']].map(flags => {
        const output = execFileSync(process.execPath, [
          ...flags,
          join(root, 'benchmarks/cold/run.mjs'),
          path,
          questions,
        ])
        return (JSON.parse(output.toString()) as { readonly answers: readonly unknown[] }).answers
      })
      expect(answers[1]).toEqual(answers[0])
      expect(answers[0]).toHaveLength(family.questions.length)
    })
  },
)

it('telemetry adds at most 18,600 bytes to a bundle, and 23,000 more with log()', async () => {
  const [none, otlp, log] = await Promise.all(
    ['telemetry/none', 'telemetry/otlp', 'telemetry/log'].map(
      async file => (await bundle(file)).code.byteLength,
    ),
  )
  expect(otlp! - none!).toBeLessThanOrEqual(18_600)
  expect(log! - otlp!).toBeLessThanOrEqual(23_000)
})
