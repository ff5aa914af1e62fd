import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createUnplugin } from 'unplugin'
import { compileModule } from './compile-module.ts'

/** Options of the plugin. */
export interface CodecsOptions {
  /** Gets a sentence for each codec that is left as it is. Default: `console.warn`. */
  readonly log?: (sentence: string) => void
}

/**
 * The plugin for each bundler. No bundler's types are named here, so that only the one in use has to be installed.
 */
export interface Codecs {
  readonly esbuild: (options?: CodecsOptions) => {
    readonly name: string
    // biome-ignore lint/suspicious/noExplicitAny: esbuild's own type is not named.
    readonly setup: (build: any) => void | Promise<void>
  }
  readonly rollup: (options?: CodecsOptions) => { readonly name: string }
  readonly vite: (options?: CodecsOptions) => { readonly name: string }
}

/**
 * A plugin for bundlers that compiles codecs of io-ts when a function is bundled, so that the function need not do so at
 * each start. It compiles codecs that are written with the combinators of io-ts and plain data, and that reach functions
 * of Signalbox. It runs no code of yours. What it cannot compile it leaves as it is, with a warning.
 *
 * @example
 * import { codecs } from '@signalbox/bundler'
 * import { build } from 'esbuild'
 *
 * await build({ entryPoints: ['handler.ts'], bundle: true, plugins: [codecs.esbuild()] })
 */
export const codecs: Codecs = createUnplugin<CodecsOptions | undefined>(({ log = console.warn } = {}) => ({
  name: 'signalbox-codecs',
  enforce: 'pre',
  transformInclude: id => /\.[cm]?[jt]sx?$/.test(id),
  transform(code, id) {
    const name = packageOf(dirname(id))
    if (name === '@signalbox/codec') return isDoor.test(id) ? closedDoor(id) : undefined
    if (ours.has(name)) return undefined
    if (/[\\/]node_modules[\\/]/.test(id)) return openedBy(code)
    const compiled = compileModule(id, code)
    for (const sentence of compiled?.left ?? []) log(`${id}: ${sentence}`)
    return compiled && { code: compiled.code, map: compiled.map as never }
  },
})) as Codecs

/** Packages that need no codec of io-ts themselves, and io-ts. */
const ours: ReadonlySet<string | undefined> = new Set([
  ...['core', 'queue', 'user-pool', 'mail-flow', 'load-balancer', 'aws'].map(name => `@signalbox/${name}`),
  'io-ts',
  'fp-ts',
])

const isDoor = /[\\/]understanding[\\/]understand\.[jt]s$/
const closedDoor = (id: string) =>
  `export { withoutIoTs as understanding } from './without-io-ts.${id.slice(-2)}'\n`

/** The code of a dependency that makes codecs of io-ts: nothing in it is compiled. */
function openedBy(code: string): string | undefined {
  if (/\bfrom\s*['"](?:io-ts|@signalbox\/codec\/wire)\b/.test(code)) {
    return `import { understandIoTs as $understandIoTs } from '@signalbox/codec/understand-io-ts';$understandIoTs();${code}`
  }
  if (!/\brequire\(['"]io-ts\b/.test(code)) return undefined
  return `require('@signalbox/codec/understand-io-ts').understandIoTs();${code}`
}

const packages = new Map<string, string | undefined>()

/** Returns the name of the package that a folder belongs to. */
function packageOf(folder: string): string | undefined {
  if (packages.has(folder)) return packages.get(folder)
  const manifest = join(folder, 'package.json')
  const own = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name
    : undefined
  const name = own ?? (dirname(folder) === folder ? undefined : packageOf(dirname(folder)))
  packages.set(folder, name)
  return name
}
