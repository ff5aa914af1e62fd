import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..')

/** What makes a test file one of `npm run check`: a package or a file that it imports, directly or through others. */
const slow: { readonly [what: string]: RegExp } = {
  'starts a browser': /^(?:playwright-core|@sparticuz\/chromium)$/,
  'starts PostgreSQL': /^packages\/platform-postgres\/src\/testing\/postgres-server\.ts$/,
  'builds the console': /^packages\/console\/src\/web\/testing\/built-web\.ts$/,
  "builds AWS's runtime client": /^aws-lambda-ric$/,
  'uses clients of other vendors': /^(?:aws-amplify|amazon-cognito-identity-js)(?:\/|$)/,
  'starts the whole program':
    /^packages\/(?:platform\/src\/testing\/spawned-command|acceptance\/soak\/platform-process)\.ts$/,
  'walks the whole contract': /^packages\/acceptance\/contract\/walk-page\.ts$/,
}

/** Code that does the same without an import. */
const slowCode: { readonly [what: string]: RegExp } = {
  'uses clients of other vendors': /'(?:aws-amplify|amazon-cognito-identity-js)'/,
  'runs clients of this machine': /(?:await|return) runProgram\(/,
  'runs templates for stock clients': /await runTemplate\(|return runTemplate\(|=>\s+runTemplate\(/,
  'builds packages': /\['run', 'build'/,
  'needs the built packages': /node_modules\/\.bin\/tsc'/,
  'packs or installs packages': /'npm',\s*\[\s*'(?:pack|install|ci)'/,
}

const imports =
  /^\s*(?:import|export)\s(?!type\s)[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|(?:import|import\.meta\.resolve)\(\s*'([^']+)'|new URL\(\s*'(\.[^']+)',\s*import\.meta\.url/gm

/** What a file imports at run time, and what slow work its own code does. */
interface Read {
  /** The names of packages, and the paths of files in the repository. */
  readonly imports: readonly string[]
  readonly slow: string | undefined
}

const known = new Map<string, Read>()

function read(path: string): Read {
  const found = known.get(path)
  if (found) return found
  const text = readFileSync(join(root, path), 'utf8')
  const all = [...text.matchAll(imports)].map(([, ...names]) => names.find(name => name !== undefined)!)
  const resolved = all.map(name =>
    name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : (sourceOf(name) ?? name),
  )
  const slow = Object.keys(slowCode).find(what => slowCode[what]!.test(text))
  known.set(path, { imports: resolved, slow })
  return known.get(path)!
}

/** Returns the source file of an entry of one of the packages, such as `@signalbox/queue/testing`. */
function sourceOf(name: string): string | undefined {
  const [, folder, rest = ''] = /^@signalbox\/([^/]+)(\/.+)?$/.exec(name) ?? []
  const home = [`packages/${folder}`, `${folder}`].find(each => existsSync(join(root, each, 'package.json')))
  if (home === undefined) return undefined
  const { exports } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
  const asked = `.${rest}`
  for (const [entry, target] of Object.entries<{ readonly [condition: string]: string }>(exports)) {
    const source = target['@signalbox/source']
    const [before = '', after] = entry.split('*')
    if (source === undefined) continue
    if (after === undefined ? asked !== entry : !asked.startsWith(before) || !asked.endsWith(after)) continue
    const name = asked.slice(before.length, asked.length - (after ?? '').length)
    return join(home, source.replace('*', name))
  }
  return undefined
}

/** Returns what a test file does that only `npm run check` does, and the imports that lead there. */
function slowness(path: string): string | undefined {
  const seen = new Set([path])
  const paths = [[path]]
  for (const way of paths) {
    const last = read(way.at(-1)!)
    if (last.slow !== undefined) return `${last.slow}: ${way.join(' → ')}`
    for (const next of last.imports) {
      if (seen.has(next)) continue
      seen.add(next)
      for (const [what, names] of Object.entries(slow))
        if (names.test(next)) return `${what}: ${[...way, next].join(' → ')}`
      if (next.endsWith('.ts') && existsSync(join(root, next))) paths.push([...way, next])
    }
  }
  return undefined
}

const testFiles = globSync(
  ['packages/*/src/**/*.test.ts', '{packages/acceptance,examples,benchmarks}/**/*.test.ts'],
  {
    cwd: root,
    exclude: ['**/node_modules/**'],
  },
)

it('a test file that is slow has a name that ends with .check.test.ts', () => {
  expect(testFiles.length).toBeGreaterThan(600)
  const misnamed = testFiles.filter(path => !path.endsWith('.check.test.ts')).map(slowness)
  expect(misnamed.filter(why => why !== undefined)).toEqual([])
})

it('only such test files have this ending, so that npm test runs all others', () => {
  const needless = testFiles.filter(path => path.endsWith('.check.test.ts') && slowness(path) === undefined)
  expect(needless).toEqual([])
})
