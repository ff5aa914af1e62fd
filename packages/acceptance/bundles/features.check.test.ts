import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { transform } from 'esbuild'
import { bundlers } from './bundlers.ts'

const root = join(import.meta.dirname, '../../..')
const families = ['queue', 'user-pool', 'mail-flow', 'load-balancer', 'aws', 'core', 'codec']
/** The files of features. Those of `load-balancer` are in three. */
const files = [...families, 'http-sign-in', 'middy']

/** The folder of the sources, from which packages are found. */
const sources = mkdtempSync(join(tmpdir(), 'signalbox-sources-'))
/** The folder of the bundles, from which no package is found. */
const bundles = mkdtempSync(join(tmpdir(), 'signalbox-bundles-'))
afterAll(() => {
  for (const folder of [sources, bundles]) rmSync(folder, { recursive: true })
})

// Bundles have the published files of packages.
beforeAll(async () => {
  const env = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  }
  const filters = ['bundler', ...families].map(name => `--filter=@signalbox/${name}`)
  execFileSync(
    join(root, 'node_modules/.bin/turbo'),
    ['run', 'build', '--output-logs=errors-only', ...filters],
    { cwd: root, env },
  )
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  writeFileSync(join(sources, 'package.json'), '{ "type": "module" }')
  for (const file of files) {
    const code = readFileSync(join(import.meta.dirname, `features/${file}.ts`), 'utf8')
    // Each bundler reads JavaScript, and needs another plugin for TypeScript.
    const { code: stripped } = await transform(code, { loader: 'ts', format: 'esm', target: 'node22' })
    writeFileSync(join(sources, `${file}.js`), stripped)
  }
  const all = files.map((file, i) => `import { features as f${i} } from './${file}.js'`)
  const merged = files.map((file, i) => `...named('${file}', f${i})`)
  all.push(
    "const named = (file, all) => Object.fromEntries(Object.entries(all).map(([k, v]) => [file + ': ' + k, v]))",
    `export const features = { ${merged} }`,
  )
  writeFileSync(join(sources, 'all.js'), all.join('\n'))
})

const runner = `
import { createRequire } from 'node:module'
const found = ['io-ts', '@signalbox/core'].filter(name => {
  try { return createRequire(process.argv[2]).resolve(name) } catch { return false }
})
const { features } = await import(process.argv[2])
const results = { found }
for (const [name, run] of Object.entries(features)) {
  try { await run(); results[name] = 'works' } catch (error) { results[name] = String(error?.stack ?? error) }
}
process.stdout.write(JSON.stringify(results), () => process.exit())
`

/** Runs the features of a bundle in its folder, and returns what each said. */
async function resultsOf(file: string): Promise<{ readonly [feature: string]: unknown }> {
  const script = join(bundles, 'run.mjs')
  writeFileSync(script, runner)
  // Without this setting, the library for metrics of middy looks for an agent in the network.
  const env = { PATH: process.env.PATH, AWS_EMF_ENVIRONMENT: 'Local' }
  const { stdout } = await promisify(execFile)(process.execPath, [script, pathToFileURL(file).href], {
    env,
    cwd: bundles,
    maxBuffer: 1 << 26,
  })
  return JSON.parse(stdout) as { readonly [feature: string]: unknown }
}

let count = 0
async function bundled(bundle: (typeof bundlers)[string], entry: string) {
  const folder = join(bundles, String(++count))
  mkdirSync(folder)
  return bundle(entry, folder)
}

/** Matches the features that need `require`, which the next bundles lack. The plugin warns of the call. */
const requiring = /(?:cloudwatch-metrics|http-multipart-body-parser) of middy$/
const withoutRequire = new Set([
  'esbuild',
  'esbuild with the plugin',
  'esbuild with the plugin for production',
])

it.each(Object.entries(bundlers))(
  'a bundle of %s has every feature of the READMEs, in a folder without node_modules',
  async (name, bundle) => {
    // This bundle lacks the code for members that the function does not name, and each family names others.
    const entries = name === 'esbuild with the plugin for production' ? files : ['all']
    for (const entry of entries) {
      const { file, warnings } = await bundled(bundle, join(sources, `${entry}.js`))
      const { found, ...results } = await resultsOf(file)
      expect(found).toEqual([])
      const failed = Object.entries(results).filter(([, result]) => result !== 'works')
      const expected = withoutRequire.has(name) ? requiring : /^$/
      expect(failed.filter(([feature]) => !expected.test(feature))).toEqual([])
      expect(Object.keys(results).length).toBeGreaterThan(entry === 'all' ? 60 : 3)
      // Rollup also warns of other packages, such as those that TypeScript has compiled to old JavaScript.
      expect(warnings.filter(text => /\bpackages\//.test(text))).toEqual([])
    }
  },
  300_000,
)

it('the plugin names the module that requires a module of Node, and what to add', async () => {
  const { warnings } = await bundled(bundlers['esbuild with the plugin']!, join(sources, 'middy.js'))
  expect(warnings).toContainEqual(
    expect.stringMatching(/node_modules\/.*:\d+: The module requires "node:.*\. Add banner: \{ js: /),
  )
})
