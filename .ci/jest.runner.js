// Runs each test file as a module of its worker's process, loaded by Node itself, instead of in a context of its own. A
// worker then loads each module of ours once for all its test files, and the types are removed by Node.
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from './fast-check.js'
import { counting } from './jest.counters.js'
import { current, jest } from './jest.globals.js'
import './jest.keys.js'

const require = createRequire(import.meta.url)
const replaced = new Map([
  ['@jest/globals', new URL('jest.globals.js', import.meta.url).href],
  ['fast-check', new URL('fast-check.js', import.meta.url).href],
])

/** The test files that this process has run. One that comes again has changed, so all sources are loaded again. */
const files = new Set()
let generation = 0

/** Returns the source of a file with counters in it, or undefined for a file that needs none. */
let withCounters = () => undefined

const isSource = url => /^file:.*\.ts(?:\?|$)/.test(url) && !url.includes('/node_modules/')

registerHooks({
  resolve(specifier, context, next) {
    const url = replaced.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    const found = next(specifier, context)
    if (!isSource(found.url)) return found
    // With READY=1, each family has the guards that its build wrote.
    const ready =
      process.env.READY === '1' && found.url.replace(/\/src\/contract\/ready\.ts$/, '/dist/contract/ready.js')
    if (ready && ready !== found.url) return { ...found, url: ready, format: 'module' }
    return generation === 0 ? found : { ...found, url: `${found.url}?generation=${generation}` }
  },
  load(url, context, next) {
    const source = isSource(url) ? withCounters(fileURLToPath(url)) : undefined
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

/** What the runner of jest asks of a runtime. */
const runtime = {
  // The module has the state of the tests of one file.
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    delete require.cache[path]
    return require(path)
  },
  requireModule: require,
  setGlobalsForRuntime: found => Object.assign(current, found),
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: path => import(pathToFileURL(path).href),
  enterTestCode() {},
  leaveTestCode() {},
}

async function prepare(globalConfig, config) {
  // Property tests use different values on each commit, but the same values each time they run on one commit. What passes
  // on a contributor's machine therefore passes in CI, and a failure can be repeated. `SEED=7 npm run jest` uses another
  // seed.
  fc.configureGlobal({ seed: config.globals.propertySeed })
  if (globalConfig.collectCoverage) withCounters = await counting(globalConfig, config)
}

/** For each source that was handed over, how many of its counters were above 0. */
const handedOver = new Map()

/**
 * Hands over the counters of sources. Coverage depends only on which counters are above 0, so a source is handed over
 * again only when there are more of these. Otherwise each of many hundred test files would hand over all of them.
 */
function takeCounts() {
  const taken = {}
  for (const [path, counters] of Object.entries(globalThis.__coverage__ ?? {})) {
    const { s, f, b } = counters
    const counts = [s, f, ...Object.values(b)].flatMap(each => Object.values(each))
    const covered = counts.filter(count => count > 0).length
    if (covered === handedOver.get(path)) continue
    handedOver.set(path, covered)
    taken[path] = counters
  }
  return taken
}

export default async function run(globalConfig, config, environment, _, path, send) {
  if (files.size === 0) await prepare(globalConfig, config)
  if (files.has(path)) {
    generation++
    delete globalThis.__coverage__
    handedOver.clear()
  }
  files.add(path)
  const { default: runTests } = require('jest-circus/runner')
  const env = { ...process.env }
  try {
    return await runTests(globalConfig, config, environment, runtime, path, send)
  } finally {
    if (globalConfig.collectCoverage) environment.global.__coverage__ = takeCounts()
    jest.restoreAllMocks()
    jest.useRealTimers()
    // The time limit that `jest.setTimeout` sets is that of one file.
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')]
    for (const name in process.env) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    // Each copy of the runner of jest keeps the tests of its file, and what they hold, in a global variable.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (key.description === 'JEST_STATE_SYMBOL') delete globalThis[key]
  }
}
