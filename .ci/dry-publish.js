// A dry run of publishing. It packs every package and checks the shape of each. It installs all of them together into an
// empty folder outside the repository, and uses them as an application does: from ESM and with `require`, on three versions of
// Node, on Bun and on Deno, and from TypeScript with each setting for modules. It needs a build, and takes dependencies from
// npm's cache if they are there. The packed packages stay in the folder that the first argument names: the release workflow
// publishes them, with the list of what they depend on.
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { isOffline, run, runBeside } from './run-quietly.js'

// The maximum number of packages, and the maximum size in megabytes, of a package with its dependencies.
const limits = JSON.parse(readFileSync('.ci/install-sizes.json', 'utf8'))

/**
 * The settings of the compiler for modules, with the files that it compiles. Each is tried with TypeScript 7.0. The first two,
 * which stand for the two ways in which it looks for packages, check all declarations, too, and are tried with TypeScript 6.0,
 * which takes several times as long.
 */
const moduleSettings = [
  ['nodenext', ['application.ts', 'application.cts']],
  ['esnext --moduleResolution bundler', ['application.ts']],
  // These two do not let a CommonJS file load ES modules.
  ['node16', ['application.ts']],
  ['node18', ['application.ts']],
  ['node20', ['application.ts', 'application.cts']],
  ['es2022 --moduleResolution bundler', ['application.ts']],
  ['preserve --moduleResolution bundler', ['application.ts', 'application.cts']],
  ['commonjs', ['application.cts']],
]

const manifests = globSync('packages/*/package.json')
  .map(path => JSON.parse(readFileSync(path, 'utf8')))
  .filter(manifest => !manifest.private)
const root = mkdtempSync(join(tmpdir(), 'signalbox-publish-'))
const packedFolder = resolve(process.argv.slice(2).find(each => !each.startsWith('-')) ?? root)
const problems = []
const notTried = []
let what = 'install and load together'

try {
  const packed = pack()
  for (const each of packed) await checkShape(each)
  const folder = install(packed)
  if (folder === undefined) what = 'are packed; not installed, because the npm registry cannot be reached'
  else {
    checkManifests(folder)
    checkImports(folder)
    await checkTypes(folder)
    checkSizes(folder)
    writeBillOfMaterials(folder)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exitCode = 1
} else console.log([`${manifests.length} packages ${what}`, ...notTried].join('\n'))

function pack() {
  mkdirSync(packedFolder, { recursive: true })
  const folders = manifests.map(({ name }) => resolve('packages', name.split('/').at(-1)))
  const options = ['pack', '--json', '--ignore-scripts', `--pack-destination=${packedFolder}`]
  const packed = JSON.parse(run('npm', [...options, ...folders], '.'))
  return Object.values(packed).map(({ name, filename, files }) => {
    const paths = files.map(({ path }) => path)
    for (const file of ['package.json', 'README.md', 'LICENSE', ...entryFilesOf(name)]) {
      if (!paths.includes(file)) problems.push(`${name}: ${file} is not packed`)
    }
    for (const path of paths) {
      if (/\.(test|tst|fuzz)\.|tsbuildinfo/.test(path) || isForTests(path, name))
        problems.push(`${name}: ${path} is packed`)
    }
    return { name, path: join(packedFolder, filename.replace('@', '').replace('/', '-')) }
  })
}

/** Checks the entries of a packed package, for programs that are ES modules. */
async function checkShape({ name, path }) {
  const manifest = manifests.find(each => each.name === name)
  const tarball = new Uint8Array(readFileSync(path)).buffer
  const { messages } = await publint({ pack: { tarball }, strict: true })
  for (const message of messages) {
    // Nothing has to be packed for this condition.
    if (message.path.at(-1) !== '@signalbox/source')
      problems.push(`${name}: ${formatMessage(message, manifest, { color: false })}`)
  }
  const excludeEntrypoints = Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === 'object' && target.default === undefined)
    .map(([entry]) => entry)
  const packed = createPackageFromTarballData(new Uint8Array(tarball))
  const { problems: found = [] } = await checkPackage(packed, { excludeEntrypoints })
  for (const problem of found) {
    if (!['node10', 'node16-cjs'].includes(problem.resolutionKind))
      problems.push(`${name}: the types have the problem ${JSON.stringify(problem)}`)
  }
}

/** Whether a file is for the tests of this repository. Users test with the entry `testing` of some packages. */
function isForTests(path, packageName) {
  const { exports } = manifests.find(({ name }) => name === packageName)
  if (exports['./testing']?.default !== undefined && /^(src|dist)\/testing\//.test(path)) return false
  return /(^|\/)(testing|fixtures)\/|-suite\./.test(path)
}

/** Returns the files of the main entry of a package, which a package without code for others lacks. */
function entryFilesOf(name) {
  const { exports } = manifests.find(manifest => manifest.name === name)
  return exports['.'] === undefined ? [] : ['dist/index.js', 'dist/index.d.ts']
}

function install(packed) {
  const folder = join(root, 'application')
  mkdirSync(folder)
  const dependencies = Object.fromEntries(packed.map(({ name, path }) => [name, `file:${path}`]))
  // fast-check and the SDK for durable functions are optional peer dependencies. Only the entries `testing/arbitrary` and
  // `@signalbox/core/durable` need them.
  const names = ['@types/node', 'typescript', 'typescript-6', 'fast-check']
  const sdk = '@aws/durable-execution-sdk-js'
  const types = '@types/aws-lambda'
  const versionIn = (manifest, dependency) =>
    manifests.find(({ name }) => name === manifest).devDependencies[dependency]
  const own = {
    ...Object.fromEntries(names.map(name => [name, repositoryVersion(name)])),
    [sdk]: versionIn('@signalbox/core', sdk),
    // The types of the SDK need these, which it does not depend on.
    [types]: versionIn('@signalbox/load-balancer', types),
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'application',
      version: '0.0.0',
      private: true,
      type: 'module',
      dependencies,
      devDependencies: own,
      overrides: lockedVersions(),
    }),
  )
  const options = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  try {
    run('npm', ['install', ...options], folder)
  } catch (error) {
    if (isOffline(error)) return undefined
    throw error
  }
  return folder
}

/**
 * Returns the versions of the lockfile, so that new releases of dependencies do not change the result of this
 * check.
 */
function lockedVersions() {
  const versions = new Map()
  for (const [path, { version, link, dev }] of Object.entries(
    JSON.parse(readFileSync('package-lock.json', 'utf8')).packages,
  )) {
    const name = path.split('node_modules/').at(-1)
    if (link || dev || !path.includes('node_modules/')) continue
    versions.set(name, versions.has(name) && versions.get(name) !== version ? undefined : version)
  }
  return Object.fromEntries([...versions].filter(([, version]) => version !== undefined))
}

function repositoryVersion(name) {
  return JSON.parse(readFileSync('package.json', 'utf8')).devDependencies[name]
}

function checkManifests(folder) {
  for (const { name } of manifests) {
    const path = join(folder, 'node_modules', name)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    for (const field of ['description', 'license', 'repository', 'homepage', 'bugs', 'keywords', 'author']) {
      if (manifest[field] === undefined) problems.push(`${name}: package.json has no ${field}`)
    }
    for (const map of globSync('dist/**/*.map', { cwd: path })) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(path, map), 'utf8'))
      if (sourcesContent !== undefined) problems.push(`${name}: ${map} has the sources a second time`)
      for (const source of sources) {
        if (!existsSync(join(path, map, '..', source)))
          problems.push(`${name}: ${map} names ${source}, not packed`)
      }
    }
  }
}

/**
 * Returns the entries of a package that code imports, such as `@signalbox/queue/testing`. Entries without a `default`
 * are for the tests of this repository, and are not packed.
 */
function entries({ name, exports }) {
  return Object.entries(exports)
    .filter(([entry, target]) => !entry.endsWith('.json') && target.default !== undefined)
    .map(([entry]) => name + entry.slice(1))
}

function checkImports(folder) {
  const all = manifests.flatMap(entries)
  writeFileSync(join(folder, 'imports.mjs'), all.map(entry => `await import('${entry}')`).join('\n'))
  writeFileSync(join(folder, 'requires.cjs'), all.map(entry => `require('${entry}')`).join('\n'))
  copyFileSync('packages/acceptance/platform/testing/packed-application.mjs', join(folder, 'application.mjs'))
  const runtimes = [[`Node ${process.versions.node}`, process.execPath], ...otherRuntimes()]
  for (const [name, program, ...options] of runtimes) {
    for (const file of ['imports.mjs', 'requires.cjs', 'application.mjs'])
      attempt(`${file} with ${name}`, program, [...options, file], folder)
  }
  what += `, with ${runtimes.map(([name]) => name).join(', ')}`
}

/**
 * Returns the oldest and the newest Node that the packages run on, Bun and Deno: their names, programs, and options before
 * the name of a file. The repository runs on a Node of its own, whatever is installed.
 */
function otherRuntimes() {
  const system = `${process.platform}-${process.arch}`
  const node = version => [`Node ${version}`, version, `node-${system}`, ['bin/node']]
  const bun = `@oven/bun-${system.replace('arm64', 'aarch64')}`
  const deno = `@deno/${system}${process.platform === 'linux' ? '-glibc' : ''}`
  const wanted = [node('22.13.0'), node('26.10.0')]
  // The systems of the CI. Bun and Deno have programs for others, too, which nothing has tried.
  if (['linux-x64', 'linux-arm64', 'darwin-arm64'].includes(system))
    wanted.push(
      ['Bun 1.4.5', '1.4.5', bun, ['bin/bun', 'run']],
      ['Deno 2.9.6', '2.9.6', deno, ['deno', 'run', '--allow-all']],
    )
  else
    notTried.push(`Bun and Deno were not tried, because this check knows no programs of theirs for ${system}`)
  const folder = join(root, 'runtimes')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const nameOf = title => title.toLowerCase().replace(' ', '-')
  const packages = wanted.map(([title, version, name]) => `${nameOf(title)}@npm:${name}@${version}`)
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  try {
    run('npm', ['install', ...options, ...packages], folder)
  } catch (error) {
    if (!isOffline(error)) throw error
    notTried.push('Other runtimes were not tried, because the npm registry cannot be reached')
    return []
  }
  return wanted.map(([title, , , [file, ...before]]) => [
    title,
    join(folder, 'node_modules', nameOf(title), file),
    ...before,
  ])
}

async function checkTypes(folder) {
  const all = manifests.flatMap(entries)
  const code = all.map(
    (entry, i) => `import * as entry${i} from '${entry}'\nexport const use${i}: object = entry${i}`,
  )
  for (const file of ['application.ts', 'application.cts']) writeFileSync(join(folder, file), code.join('\n'))
  const options = '--noEmit --strict --target es2023 --types node --skipLibCheck'.split(' ')
  const waiting = moduleSettings.flatMap(([setting, files], i) =>
    (i < 2 ? ['typescript-6', 'typescript'] : ['typescript']).map(compiler => async () => {
      const tsc = join(folder, 'node_modules', compiler, 'bin', 'tsc')
      const how = [...options, String(i >= 2), '--module', ...setting.split(' '), ...files]
      try {
        await runBeside(process.execPath, [tsc, ...how], folder)
      } catch (error) {
        problems.push(
          `${compiler} with --module ${setting}: ${error.stderr || error.stdout || error.message}`,
        )
      }
    }),
  )
  const compileNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
  }
  // Beside the tests, two cores are what most machines have to give.
  await Promise.all([compileNext(), compileNext()])
}

function checkSizes(folder) {
  const sizes = {}
  for (const { name } of manifests) {
    const installed = closure(folder, name)
    const bytes = [...installed].reduce((sum, path) => sum + bytesOf(path), 0)
    sizes[name] = { packages: installed.size, megabytes: Math.ceil(bytes / 100_000) / 10 }
    const limit = limits.installed[name]
    const isWithin =
      limit !== undefined && installed.size <= limit.packages && sizes[name].megabytes <= limit.megabytes
    if (!isWithin)
      problems.push(`${name}: installs ${JSON.stringify(sizes[name])}, expected ${JSON.stringify(limit)}`)
  }
  checkEngines(folder)
  if (process.argv.includes('--sizes')) console.log(JSON.stringify(sizes, null, 2))
}

/** Writes the packages and all their dependencies as a bill of materials in the format CycloneDX, beside the packages. */
function writeBillOfMaterials(folder) {
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], folder))
  // Our packages come from files here, which others do not have.
  for (const component of bill.components)
    component.externalReferences = component.externalReferences.filter(({ url }) => !url.startsWith('file:'))
  const names = new Set(bill.components.map(({ name }) => name))
  const absent = manifests.filter(({ name, dependencies = {} }) =>
    [name, ...Object.keys(dependencies)].some(each => !names.has(each)),
  )
  if (absent.length > 0)
    problems.push(
      `The bill of materials lacks packages or dependencies of ${absent.map(each => each.name).join(', ')}`,
    )
  writeFileSync(join(packedFolder, 'signalbox.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
}

/** Checks that no package wants a Node above 22, so that an installation on Node 22 neither warns nor fails. */
function checkEngines(folder) {
  const installed = new Set(manifests.flatMap(({ name }) => [...closure(folder, name)]))
  const tooNew = [...installed]
    .map(path => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')))
    .filter(({ engines }) => Number(/^>=?\s*v?(\d+)/.exec(engines?.node ?? '')?.[1]) > 22)
    .map(({ name }) => name)
    .sort()
  if (tooNew.length > 0)
    problems.push(`These packages want a Node above 22, expected none: ${tooNew.join(', ')}`)
}

/** Returns the folders of a package and of all its dependencies, as Node resolves them. */
function closure(folder, name, from = folder, seen = new Set()) {
  let parent = from
  while (!existsSync(join(parent, 'node_modules', name))) {
    if (parent === folder) return seen
    parent = join(parent, '..')
  }
  const path = join(parent, 'node_modules', name)
  if (seen.has(path)) return seen
  seen.add(path)
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) closure(folder, dependency, path, seen)
  return seen
}

/** Returns the size of a package's files in bytes, without nested packages. */
function bytesOf(path) {
  return readdirSync(path)
    .filter(entry => entry !== 'node_modules')
    .reduce((sum, entry) => {
      const stats = lstatSync(join(path, entry))
      return sum + (stats.isDirectory() ? bytesOf(join(path, entry)) : stats.size)
    }, 0)
}

function attempt(what, ...command) {
  try {
    run(...command)
  } catch (error) {
    problems.push(`${what}: ${error.stderr || error.stdout || error.message}`)
  }
}
