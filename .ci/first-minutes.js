// Plays the first minutes of a new user. Outside the repository, `signalbox init` makes a project for each test runner.
// Each project is installed, tested, compiled and bundled. One of them runs with `signalbox dev` and gets a request, a
// message, a mail, a user, and the most frequent mistakes. The projects use the packages of this checkout, which need a
// build.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { linkDependencies } from './link-dependencies.js'
import { env, isOffline, run } from './run-quietly.js'

const signalbox = resolve('packages/platform/bin/signalbox.js')
const root = mkdtempSync(join(tmpdir(), 'signalbox-first-minutes-'))
const problems = []
const done = []
const samples = new Map()
let installed

try {
  for (const runner of ['node:test', 'jest', 'vitest']) {
    const folder = project(runner)
    if (folder === undefined) {
      done.push(`${runner} was not tried, because the npm registry cannot be reached`)
      continue
    }
    for (const script of ['test', 'types'])
      attempt(`${runner}: npm run ${script}`, 'npm', ['run', script], folder)
    // esbuild prints to the standard error output.
    const printed = attempt(`${runner}: npm run build`, 'sh', ['-c', 'npm run build 2>&1'], folder) ?? ''
    expect('the build prints the sizes of four bundles', printed.match(/index\.mjs\s+[\d.]+kb/g)?.length, 4)
    await checkBundles(folder)
    if (runner === 'node:test') await runBox(folder)
    done.push(runner)
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exitCode = 1
} else console.log(`A new project works: ${done.join(', ')}`)

function project(runner) {
  const folder = join(root, runner.replace(':', '-'))
  run(process.execPath, [signalbox, 'init', folder, '--families', 'all', '--runner', runner], root)
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  // The projects use the Node that runs this file.
  delete manifest.devDependencies.node
  writeFileSync(path, JSON.stringify(manifest))
  // Each project takes over what the one before has installed. npm adds and removes the difference.
  for (const name of installed ? ['node_modules', 'package-lock.json'] : [])
    renameSync(join(installed, name), join(folder, name))
  linkDependencies(folder)
  try {
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder)
  } catch (error) {
    if (isOffline(error)) return undefined
    throw error
  }
  installed = folder
  return folder
}

/**
 * Checks what `sam deploy` uploads: each folder that the template names must have a function that answers AWS's events.
 */
async function checkBundles(folder) {
  const template = readFileSync(join(folder, 'template.yaml'), 'utf8')
  const paths = [...template.matchAll(/CodeUri: (\S+)/g)].map(([, path]) => path)
  expect('the template names four bundles', paths.length, 4)
  for (const path of paths) {
    const name = path.split('/')[1]
    const sample = {
      shop: 'load-balancer',
      orders: 'queue',
      mailroom: 'mail-flow',
      'sign-up': 'TokenGeneration',
    }[name]
    if (!samples.has(sample))
      samples.set(sample, run(process.execPath, [signalbox, 'sample', '--dialect', 'aws', sample], folder))
    const event = JSON.parse(samples.get(sample))
    const bundle = join(folder, path, 'index.mjs')
    // The classes of io-ts stay in a bundle if the plugin could not compile a codec, even those that nothing uses.
    expect(`the bundle of ${name} has io-ts`, /DictionaryType/.test(readFileSync(bundle, 'utf8')), false)
    const { handler } = await import(pathToFileURL(bundle).href)
    const answer = await quietly(() => handler(event, {}))
    expect(`the bundle of ${name} answers`, typeof answer, 'object')
  }
}

async function runBox(folder) {
  const path = join(folder, 'signalbox.config.ts')
  const config = readFileSync(path, 'utf8')
  // These listeners use free ports, because other programs may use the default ports.
  const free = ['queueListener', 'userPoolListener', 'control']
    .map(key => `  ${key}: { port: 0 },\n`)
    .join('')
  writeFileSync(
    path,
    config
      .replace('port: 3000', 'port: 0')
      .replace('mail: {', 'mail: {\n    port: 0,')
      .replace(/}\)\n$/, `${free}})\n`),
  )
  const platform = dev(folder)
  try {
    const { url } = await platform.line(
      ({ kind, text }) => kind === 'address' && text.startsWith('load balancer'),
    )
    await platform.line(({ kind }) => kind === 'ready')
    const response = await fetch(`${url}/hello/Ada`)
    expect('curl gets', await response.text(), '{"hello":"Ada"}')

    const command = args =>
      attempt(`signalbox ${args.join(' ')}`, process.execPath, [signalbox, ...args], folder)
    command(['send', 'orders', '{"order":"7","parcels":2}'])
    await platform.line(
      ({ functionName, verdict }) => functionName === 'orders' && verdict.kind === 'success',
    )
    command([
      'mail',
      'send',
      '--from',
      'rita@partner.example',
      '--to',
      'ann@office.example',
      '--subject',
      'Hello',
    ])
    await platform.line(({ functionName, verdict }) => functionName === 'mailroom' && verdict.ok)
    command(['user', 'add', 'staff', 'ann', '--attribute', 'email=ann@example.com'])
    expect('the user is there', command(['users', 'staff'])?.includes('ann'), true)

    const enums = 'enum Size { small }\nexport const handler = () => Size.small\n'
    writeFileSync(join(folder, 'functions', 'shop.ts'), enums)
    await platform.line(({ kind, files }) => kind === 'reload' && files.some(file => file.includes('shop')))
    await fetch(`${url}/hello/Ada`)
    const { failure } = await platform.line(entry => entry.functionName === 'shop' && entry.failure)
    expect('an enum is explained', /Write an object instead of the enum/.test(failure.message), true)

    const taken = `port: ${new URL(url).port}`
    writeFileSync(path, config.replace('port: 3000', taken).replace(/}\)\n$/, "  dataDir: ':memory:',\n})\n"))
    const second = await dev(folder).exit
    if (!/is in use.*Choose another with loadBalancers\.web\.port/.test(second.errors))
      problems.push(`a second platform does not say what to change: ${second.errors}`)
    expect('a second platform is refused', second.code, 2)
  } finally {
    platform.process.kill('SIGTERM')
    expect('dev ends', (await platform.exit).code, 0)
  }
}

/** Starts a platform that prints JSON, and collects its output lines. */
function dev(folder, args = []) {
  const child = spawn(process.execPath, [signalbox, 'dev', '--json', ...args], { cwd: folder, env })
  const lines = []
  let output = ''
  let errors = ''
  let wake = () => {}
  child.stderr.on('data', chunk => (errors += chunk))
  child.stdout.on('data', chunk => {
    const parts = (output + chunk).split('\n')
    output = parts.pop()
    lines.push(...parts.map(part => JSON.parse(part)))
    wake()
  })
  const exit = new Promise(end => child.on('close', code => end({ code, errors })))
  return {
    process: child,
    exit,
    async line(fits) {
      for (let at = 0; ; at++) {
        while (at >= lines.length) {
          const limit = AbortSignal.timeout(60_000)
          const late = new Promise(resolve =>
            limit.addEventListener('abort', () => resolve({ errors: 'no output' })),
          )
          const over = await Promise.race([new Promise(resolve => (wake = resolve)), exit, late])
          if (over !== undefined)
            throw new Error(`signalbox dev: ${over.errors}. It printed ${JSON.stringify(lines)}`)
        }
        if (fits(lines[at])) return lines[at]
      }
    },
  }
}

/** Waits until a log line is printed, because the functions of the projects log what they do. */
async function quietly(work) {
  const { log, error } = console
  Object.assign(console, { log() {}, error() {} })
  try {
    return await work()
  } finally {
    Object.assign(console, { log, error })
  }
}

function expect(what, actual, expected) {
  if (actual !== expected)
    problems.push(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
}

function attempt(what, ...command) {
  try {
    return run(...command)
  } catch (error) {
    problems.push(`${what}: ${error.stderr || ''}${error.stdout || ''}` || error.message)
    return undefined
  }
}
