// A dry run of publishing. It packs every package and checks the shape of each. It installs all of them together into an
// empty folder outside the repository, and uses them as an application does: from ESM and with `require`, on three versions of
// Node, and from TypeScript with both kinds of module resolution. It needs a build, and takes dependencies from npm's cache if
// they are there. The packed packages stay in the folder that the first argument names: the release workflow publishes them,
// with the list of what they depend on.
import {
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
import { isOffline, run } from './run-quietly.js'

// The maximum number of packages, and the maximum size in megabytes, of a package with its dependencies.
const limits = JSON.parse(readFileSync('.ci/install-sizes.json', 'utf8'))

const manifests = globSync('packages/*/package.json')
  .map(path => JSON.parse(readFileSync(path, 'utf8')))
  .filter(manifest => !manifest.private)
const root = mkdtempSync(join(tmpdir(), 'signalbox-publish-'))
const packedFolder = resolve(process.argv.slice(2).find(each => !each.startsWith('-')) ?? root)
const problems = []
let what = 'install and load together'

try {
  const packed = pack()
  for (const each of packed) await checkShape(each)
  const folder = install(packed)
  if (folder === undefined) what = 'are packed; not installed, because the npm registry cannot be reached'
  else {
    checkManifests(folder)
    checkImports(folder)
    checkTypes(folder)
    checkSizes(folder)
    writeBillOfMaterials(folder)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exitCode = 1
} else console.log(`${manifests.length} packages ${what}`)

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
  const names = ['@types/node', 'typescript', 'fast-check']
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
  for (const [version, node] of [[process.versions.node, process.execPath], ...otherNodes()]) {
    for (const file of ['imports.mjs', 'requires.cjs'])
      attempt(`${file} with Node ${version}`, node, [file], folder)
  }
}

/**
 * Returns the programs of the oldest and of the newest Node that the packages run on, by their versions. The repository runs
 * on a Node of its own, whatever is installed.
 */
function otherNodes() {
  const folder = join(root, 'nodes')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const program = `node-${process.platform}-${process.arch}`
  const versions = ['22.13.0', '26.10.0']
  const packages = versions.map(version => `node-${version}@npm:${program}@${version}`)
  run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
    folder,
  )
  return versions.map(version => [version, join(folder, 'node_modules', `node-${version}`, 'bin', 'node')])
}

function checkTypes(folder) {
  const all = manifests.flatMap(entries)
  const code = all.map(
    (entry, i) => `import * as entry${i} from '${entry}'\nexport const use${i}: object = entry${i}`,
  )
  writeFileSync(join(folder, 'application.ts'), code.join('\n'))
  const resolutions = [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]
  for (const [module, moduleResolution] of resolutions) {
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--types',
      'node',
      '--skipLibCheck',
      'false',
    ]
    const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
    const how = [...options, '--module', module, '--moduleResolution', moduleResolution]
    attempt(`TypeScript with ${moduleResolution}`, process.execPath, [tsc, ...how, 'application.ts'], folder)
  }
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
