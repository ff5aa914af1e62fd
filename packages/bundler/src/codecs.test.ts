import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { codecs } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bundler-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Bundles a fixture with the plugin, or without the plugin when no log is passed. */
async function bundled(name: string, log?: (sentence: string) => void) {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['@signalbox/source'],
    write: false,
    metafile: true,
    plugins: log ? [codecs.esbuild({ log })] : [],
  })
  const path = join(folder, `${name}-${log ? 'compiled' : 'plain'}.mjs`)
  writeFileSync(path, outputFiles[0]!.contents)
  const [output] = Object.values(metafile.outputs)
  const { inputs } = output!
  const files = Object.keys(inputs).filter(file => inputs[file]!.bytesInOutput > 0)
  return { path, files }
}

const values = [
  { id: 'a', lines: [{ sku: 'b', quantity: 1 }] },
  { id: 1, lines: [{ sku: 'b' }, 'line'] },
  { code: null },
  { code: 7, id: 'password=1' },
  ['a', 1],
  null,
]

/** Runs a bundle in a new process, and returns its output. The flags may forbid code generation. */
async function said(path: string, ...flags: readonly string[]): Promise<unknown> {
  const script = `const { results } = await import(${JSON.stringify(pathToFileURL(path).href)})
console.log(JSON.stringify(${JSON.stringify(values)}.map(results)))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '-e',
    script,
  ])
  return JSON.parse(stdout)
}

describe('the codecs plugin', () => {
  it('compiles codecs that are passed to Signalbox functions, and leaves io-ts out of the bundle', async () => {
    const log: string[] = []
    const compiled = await bundled('compiled', sentence => log.push(sentence))
    expect(log).toEqual([])
    const needless = /node_modules\/io-ts|guard\/generate|read-io-ts|combinators|fixtures\/order/
    expect(compiled.files.filter(file => needless.test(file))).toEqual([])
    const expected = await said((await bundled('compiled')).path)
    expect(await said(compiled.path)).toEqual(expected)
    expect(await said(compiled.path, '--disallow-code-generation-from-strings')).toEqual(expected)
  })

  it('reports codecs that it cannot compile, and keeps them and io-ts in the bundle', async () => {
    const log: string[] = []
    const compiled = await bundled('left', sentence => log.push(sentence))
    expect(log).toEqual([
      expect.stringMatching(/left\.ts:5:18: The codec is not compiled because of t\.refinement, /),
      expect.stringMatching(
        /left\.ts:11:12: The codec \{\| id: string \|\} .* because of t\.strict or t\.exact, /,
      ),
      expect.stringMatching(
        /left\.ts:12:3: Order is used here, outside of the arguments of a Signalbox function, /,
      ),
    ])
    expect(compiled.files.some(file => /node_modules\/io-ts/.test(file))).toBe(true)
    expect(compiled.files.some(file => /guard\/generate|read-io-ts/.test(file))).toBe(false)
    // io-ts checks these values, so the problems are in the same places, but their words are those of io-ts.
    const places = (results: unknown) => JSON.stringify(results).replaceAll(/"expected":"(?:\\"|[^"])*"/g, '')
    const expected = places(await said((await bundled('left')).path))
    expect(places(await said(compiled.path))).toBe(expected)
    expect(places(await said(compiled.path, '--disallow-code-generation-from-strings'))).toBe(expected)
  })

  it('reports codecs that it cannot compile as warnings of the bundler, with their places', async () => {
    const entry = fileURLToPath(new URL('../fixtures/left.ts', import.meta.url))
    const { warnings } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      conditions: ['@signalbox/source'],
      write: false,
      logLevel: 'silent',
      plugins: [codecs.esbuild()],
    })
    expect(warnings[0]).toMatchObject({
      text: expect.stringContaining('because of t.refinement'),
      location: { file: 'packages/bundler/fixtures/left.ts', line: 5, column: 17 },
    })
    const { transform } = codecs.rollup() as unknown as {
      readonly transform: (this: object, code: string, id: string) => unknown
    }
    const warned: object[] = []
    const context = { warn: (warning: object) => warned.push(warning), addWatchFile: () => {} }
    transform.call(context, readFileSync(entry, 'utf8'), entry)
    expect(warned[0]).toMatchObject({
      message: expect.stringMatching(/left\.ts:5:18: The codec is not compiled because of t\.refinement, /),
      id: entry,
      loc: { file: entry, line: 5, column: 17 },
    })
  })

  it('is also available for rollup, vite and webpack', () => {
    expect(codecs.webpack({})).toMatchObject({ apply: expect.any(Function) })
    expect([codecs.rollup({}), codecs.vite({})]).toMatchObject([
      { name: 'signalbox-codecs' },
      { name: 'signalbox-codecs', apply: 'build' },
    ])
  })
})
