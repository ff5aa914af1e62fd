import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, nearest } from '@signalbox/codec'
import type { PluginBuild } from 'esbuild'
import { createUnplugin } from 'unplugin'
import { compileModule } from './compile-module.ts'
import { missingParser } from './missing-parser.ts'
import { lacksRequire, missingRequires, type RequireOptions } from './missing-require.ts'

/** Options of the plugin. */
export interface CodecsOptions {
  /**
   * Called with a message about each codec that is not compiled, and about a missing parser of mails. A message starts
   * with its file, line and column. Default: the messages are warnings of the bundler.
   */
  readonly log?: (sentence: string) => void
  /**
   * Whether the bundle runs only in production. Signalbox then takes NODE_ENV for `production` when the function is
   * bundled, so that bundlers leave out warnings and hints for developers. Errors still say what is wrong, where, and
   * what is expected. Default: false.
   */
  readonly production?: boolean
}

/**
 * The plugin for each bundler. The types of bundlers do not appear here, so that you need to install only the bundler
 * that you use.
 */
export interface Codecs {
  readonly esbuild: (options?: CodecsOptions) => {
    readonly name: string
    // biome-ignore lint/suspicious/noExplicitAny: esbuild's own type is not named.
    readonly setup: (build: any) => void | Promise<void>
  }
  readonly rollup: (options?: CodecsOptions) => { readonly name: string }
  readonly vite: (options?: CodecsOptions) => { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: webpack's own type is not named.
  readonly webpack: (options?: CodecsOptions) => { readonly apply: (compiler: any) => void }
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
export const codecs: Codecs = createUnplugin<CodecsOptions | undefined>((options, { framework }) => {
  const { log, production = false } = checked(options)
  const name = 'signalbox-codecs'
  return {
    name,
    enforce: 'pre',
    // The development server of Vite bundles nothing.
    vite: { apply: 'build' },
    esbuild: {
      setup(build) {
        if (lacksRequire(build.initialOptions as RequireOptions)) warnOfRequires(build)
      },
    },
    transformInclude: id => /\.[cm]?[jt]sx?$/.test(id),
    transform(code, id) {
      const packageName = packageOf(dirname(id))
      if (ours.has(packageName)) return withConstants(code, production)
      if (/[\\/]node_modules[\\/]/.test(id)) return undefined
      const compiled = compileModule(id, code)
      const parser = missingParser(id, code)
      for (const { sentence, at } of [...(parser ? [parser] : []), ...(compiled?.left ?? [])]) {
        const placed = `${id}${at ? `:${at.line}:${at.column + 1}` : ''}: ${sentence}`
        // esbuild prints the place of a warning, but Vite prints only its message.
        const message = framework === 'esbuild' ? sentence : placed
        if (log) log(placed)
        else this.warn({ message, id, ...(at ? { loc: { file: id, ...at } } : {}) })
      }
      // The guards of a module change with the modules that its codecs come from.
      for (const file of compiled?.sources ?? []) this.addWatchFile(file)
      return compiled && { code: compiled.code, map: compiled.map as never }
    },
  }

  function warnOfRequires(build: PluginBuild): void {
    build.initialOptions.metafile = true
    build.onEnd(({ metafile }) => {
      const missing = metafile
        ? missingRequires(metafile, build.initialOptions.absWorkingDir ?? process.cwd())
        : []
      if (!log)
        return {
          warnings: missing.map(({ sentence, file, at }) => ({ text: sentence, location: { file, ...at } })),
        }
      for (const { sentence, file, at } of missing) log(`${file}:${at.line}:${at.column + 1}: ${sentence}`)
      return undefined
    })
  }
}) as Codecs

/**
 * Returns the options.
 * @throws TypeError for an unknown option and for a value of another type
 */
function checked(options: CodecsOptions = {}): CodecsOptions {
  const types: Readonly<Record<string, string>> = { log: 'function', production: 'boolean' }
  const names = Object.keys(types)
  if (!isObject(options)) throw new TypeError(`The codecs plugin takes an object of ${names.join(' and ')}.`)
  for (const [name, value] of Object.entries(options)) {
    if (types[name] === undefined) {
      const meant = nearest(name, names)
      const hint = meant === undefined ? `The options are ${names.join(' and ')}.` : `Did you mean ${meant}?`
      throw new TypeError(`The codecs plugin has no option ${JSON.stringify(name)}. ${hint}`)
    }
    if (value !== undefined && typeof value !== types[name])
      throw new TypeError(`The option ${name} of the codecs plugin is a ${types[name]}, not ${typeof value}.`)
  }
  return options
}

const ours: ReadonlySet<string | undefined> = new Set(
  ['codec', 'core', 'queue', 'user-pool', 'mail-flow', 'load-balancer', 'aws'].map(
    name => `@signalbox/${name}`,
  ),
)

/**
 * Returns a module of Signalbox with constants for two environment variables, so that bundlers leave out the code for
 * other values: for codecs of io-ts that are not compiled, and in production for developers. The strings have the
 * length of the variables, so that source maps stay right.
 */
function withConstants(code: string, production: boolean): string | undefined {
  const constants = { SIGNALBOX_CODECS: 'compiled', ...(production ? { NODE_ENV: 'production' } : {}) }
  let changed = code
  for (const [name, value] of Object.entries(constants)) {
    const variable = `process.env.${name}`
    changed = changed.replaceAll(variable, `'${value}'`.padEnd(variable.length))
  }
  return changed === code ? undefined : changed
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
