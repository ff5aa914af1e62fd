import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createUnplugin } from 'unplugin'
import { compileModule } from './compile-module.ts'
import { type EsbuildOptions, externalOf, opensSchemas } from './opens-schemas.ts'
import { productionModule } from './production-module.ts'
import { codeWithoutSignalbox, type Esbuild } from './unnamed-members.ts'

/** Options of the plugin. */
export interface CodecsOptions {
  /** Called with a message about each codec that is not compiled. Default: `console.warn`. */
  readonly log?: (sentence: string) => void
  /**
   * Whether the bundle runs only in production. It refuses the same invalid options, but its error messages contain
   * only the place in Signalbox that throws them, such as `batch-options:68`. It has no development warnings and no
   * hints. With esbuild, it lacks the code for a few members that the function does not name. It is 3 to 7 kB
   * smaller. Default: false.
   */
  readonly production?: boolean
}

/**
 * The plugin for each bundler. The types of bundlers do not appear here, so that only the bundler in use has to be
 * installed.
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
 * A plugin for bundlers that compiles io-ts codecs when a function is bundled, so that the function does not compile
 * them at each start. It compiles codecs that consist of io-ts combinators and plain data and that are passed to
 * functions of Signalbox. It runs none of your code. It warns about each codec that it cannot compile, and leaves that
 * codec unchanged.
 *
 * @example
 * import { codecs } from '@signalbox/bundler'
 * import { build } from 'esbuild'
 *
 * await build({ entryPoints: ['handler.ts'], bundle: true, plugins: [codecs.esbuild()] })
 */
export const codecs: Codecs = createUnplugin<CodecsOptions | undefined>(
  ({ log = console.warn, production = false } = {}, { framework }) => {
    const name = 'signalbox-codecs'
    let isExternal = (_: string): boolean => true
    let userCode: string | undefined
    return {
      name,
      enforce: 'pre',
      esbuild: {
        setup(build) {
          isExternal = externalOf(build.initialOptions as EsbuildOptions)
          if (!production) return
          build.onStart(async () => {
            userCode = await codeWithoutSignalbox(build as Esbuild, name)
          })
        },
      },
      transformInclude: id => /\.[cm]?[jt]sx?$/.test(id),
      transform(code, id) {
        const packageName = packageOf(dirname(id))
        // Only esbuild lets plugins know which packages it leaves out of the bundle. These packages may contain
        // schemas, too.
        const findsSchemas = framework === 'esbuild'
        if (packageName === '@signalbox/codec')
          return isDoor.test(id) ? closedDoor(id, findsSchemas) : undefined
        if (ours.has(packageName))
          return production ? (productionModule(id, packageName!, code, userCode) as never) : undefined
        const schemas = findsSchemas && opensSchemas(code, isExternal) ? understandingOf(code, 'schemas') : ''
        if (/[\\/]node_modules[\\/]/.test(id)) {
          const opened = schemas + (usesIoTs.test(code) ? understandingOf(code, 'io-ts') : '')
          return opened ? opened + code : undefined
        }
        const compiled = compileModule(id, code)
        for (const sentence of compiled?.left ?? []) log(`${id}: ${sentence}`)
        if (compiled) return { code: schemas + compiled.code, map: compiled.map as never }
        return schemas ? schemas + code : undefined
      },
    }
  },
) as Codecs

/** The packages whose imports of io-ts do not force the bundle to contain io-ts support. */
const ours: ReadonlySet<string | undefined> = new Set([
  ...['core', 'queue', 'user-pool', 'mail-flow', 'load-balancer', 'aws'].map(name => `@signalbox/${name}`),
  'io-ts',
  'fp-ts',
])

const isDoor = /[\\/]understanding[\\/]understand\.[jt]s$/
function closedDoor(id: string, withoutSchemas: boolean): string {
  const end = id.slice(-2)
  const schemas = `import { understandSchemas } from './understand-schemas.${end}'; understandSchemas()\n`
  return `${withoutSchemas ? '' : schemas}export { withoutIoTs as understanding } from './without-io-ts.${end}'\n`
}

/** Matches an import of a dependency that makes io-ts codecs. These codecs are not compiled. */
const usesIoTs = /\b(?:from|require\()\s*['"](?:io-ts|@signalbox\/codec\/wire)\b/

/**
 * Returns the call that makes a bundle understand io-ts codecs or schemas, in the module format of the code that
 * contains them.
 */
function understandingOf(code: string, what: 'io-ts' | 'schemas'): string {
  const name = what === 'io-ts' ? 'understandIoTs' : 'understandSchemas'
  const module = `@signalbox/codec/understand-${what}`
  return /\bmodule\.exports\b|\bexports\.[\w$]+\s*=|\(exports,/.test(code)
    ? `require('${module}').${name}();`
    : `import { ${name} as $$${name} } from '${module}';$$${name}();`
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
