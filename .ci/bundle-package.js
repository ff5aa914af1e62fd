// The last step of the build of a package of the platform, whose code nobody bundles. Hundreds of small modules take most of
// the time in which a platform starts, so this step puts those that are always loaded together into one file. What is imported
// later, and what other programs run, stays apart. It runs in the folder of the package, after the compiler has written the
// declarations.
//
// Every file but the programs of threads and processes is directly in `dist`. A source that asks for its own URL has to be
// directly in `src`, so that paths relative to it are right in both.
import { globSync, readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const targets = Object.values(exports).filter(target => target.default?.endsWith('.js'))
const entries = targets.map(target => ({
  in: target['@signalbox/source'],
  out: target.default.replace(/^\.\/dist\/|\.js$/g, ''),
}))
// These are started by the paths of their files.
const programs = globSync(['src/command.ts', 'src/**/*-{main,thread}.ts']).map(path => ({
  in: path,
  out: path.replaceAll('\\', '/').replace(/^src\/|\.ts$/g, ''),
}))

// Names of files have hashes, so those of an earlier build would stay.
for (const path of globSync('dist/**/*.{js,js.map}', { exclude: ['dist/web'] })) rmSync(path)

const { metafile } = await build({
  entryPoints: [...entries, ...programs],
  outdir: 'dist',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  packages: 'external',
  conditions: ['@signalbox/source'],
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
})

// esbuild writes paths with slashes on every system.
const isDeep = path => path.split('/').length > 2
for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
  for (const input of Object.keys(inputs)) {
    // To load a dependency, any file of the package will do.
    const asks = /(?<!createRequire\()\bimport\.meta\.(url|dirname|filename)\b/.test(
      readFileSync(input, 'utf8'),
    )
    if (asks && (isDeep(input) || isDeep(path)))
      throw new Error(`${input} asks for its own URL, and would be in ${path}: see the start of this program`)
  }
}
