import { createRequire } from 'node:module'
import { join } from 'node:path'
import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { codecs } from '@signalbox/bundler'
import { type BuildOptions, build } from 'esbuild'
import { type Plugin, rollup } from 'rollup'
import type { Stats, WebpackPluginInstance } from 'webpack'

// Jest reads all members of a CommonJS module that is imported, and webpack warns of some.
const require = createRequire(import.meta.url)
const webpack = require('webpack') as typeof import('webpack')

/** Bundles an entry file into an empty folder, and returns the path of the bundle and the warnings. */
export type Bundle = (
  entry: string,
  folder: string,
) => Promise<{ readonly file: string; readonly warnings: readonly string[] }>

const esbuild =
  (options: BuildOptions): Bundle =>
  async (entry, folder) => {
    const file = join(folder, options.format === 'cjs' ? 'index.cjs' : 'index.mjs')
    const { warnings } = await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
      ...options,
    })
    return {
      file,
      warnings: warnings.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`),
    }
  }

/** Some CommonJS packages require modules of Node, and a bundle of ES modules has no `require`. */
const banner = {
  js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
}

const withRollup =
  (plugins: readonly Plugin[]): Bundle =>
  async (entry, folder) => {
    const warnings: string[] = []
    const made = await rollup({
      input: entry,
      plugins: [
        ...plugins,
        nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }),
        (commonjs as unknown as typeof commonjs.default)(),
      ],
      onwarn: ({ message, loc, id }) => void warnings.push(`${loc?.file ?? id}:${loc?.line}: ${message}`),
    })
    await made.write({ dir: folder, format: 'es', entryFileNames: 'index.mjs', chunkFileNames: '[name].mjs' })
    await made.close()
    return { file: join(folder, 'index.mjs'), warnings }
  }

const withWebpack =
  (plugins: readonly WebpackPluginInstance[]): Bundle =>
  async (entry, folder) => {
    const stats = await new Promise<Stats>((resolve, reject) =>
      webpack(
        {
          entry,
          plugins: [...plugins],
          mode: 'production',
          target: 'node22',
          experiments: { outputModule: true },
          output: { path: folder, filename: 'index.mjs', library: { type: 'module' }, module: true },
        },
        (error, done) => (error || !done ? reject(error) : resolve(done)),
      ),
    )
    const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true })
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
    return {
      file: join(folder, 'index.mjs'),
      warnings: warnings.map(({ moduleName, loc, message }) => `${moduleName}:${loc}: ${message}`),
    }
  }

/** The bundlers that must work, and their settings, which are those of the READMEs. */
export const bundlers: { readonly [name: string]: Bundle } = {
  esbuild: esbuild({}),
  'esbuild, with require': esbuild({ banner }),
  'esbuild, to CommonJS': esbuild({ format: 'cjs' }),
  'esbuild with the plugin': esbuild({ plugins: [codecs.esbuild()] }),
  'esbuild with the plugin for production': esbuild({
    plugins: [codecs.esbuild({ production: true, log: () => {} })],
  }),
  Rollup: withRollup([]),
  'Rollup with the plugin for production': withRollup([codecs.rollup({ production: true, log: () => {} })]),
  webpack: withWebpack([]),
  'webpack with the plugin for production': withWebpack([
    codecs.webpack({ production: true, log: () => {} }),
  ]),
}
