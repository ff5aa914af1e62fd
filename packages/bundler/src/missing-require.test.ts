import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { type BuildOptions, build } from 'esbuild'
import { codecs } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-require-'))
afterAll(() => rmSync(folder, { recursive: true }))

writeFileSync(
  join(folder, 'driver.cjs'),
  "'use strict'\nexports.open = () => 1\nconst net = require('net')\n",
)
writeFileSync(join(folder, 'optional.cjs'), "try { require('not-installed') } catch {}\n")
writeFileSync(join(folder, 'a.mjs'), "import './driver.cjs'\nimport './optional.cjs'\n")

async function warningsOf(options: BuildOptions, log?: (sentence: string) => void) {
  const { warnings } = await build({
    entryPoints: [join(folder, 'a.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
    absWorkingDir: folder,
    plugins: [codecs.esbuild(log ? { log } : {})],
    ...options,
  })
  return warnings
}

describe('a build of ES modules for Node', () => {
  it('warns of the first call that requires a module of Node, with its file and line', async () => {
    expect(await warningsOf({})).toMatchObject([
      {
        text: expect.stringMatching(
          /^The module requires "net", .* Add banner: \{ js: "import \{ createRequire/,
        ),
        location: { file: 'driver.cjs', line: 3, column: 12 },
      },
    ])
  })

  it('gives the warning to the option log', async () => {
    const sentences: string[] = []
    expect(await warningsOf({}, sentence => sentences.push(sentence))).toEqual([])
    expect(sentences).toEqual([expect.stringMatching(/^driver\.cjs:3:13: The module requires "net"/)])
  })

  it.each<[string, BuildOptions]>([
    ['has require', { banner: { js: 'const require = createRequire(import.meta.url)' } }],
    ['is CommonJS', { format: 'cjs' }],
    ['requires only modules that are not of Node', { entryPoints: [join(folder, 'optional.cjs')] }],
  ])('does not warn of a bundle that %s', async (_, options) => {
    expect(await warningsOf(options)).toEqual([])
  })
})
