// A test runner for Stryker that keeps one process for many mutants. Jest itself would load every module again
// for each mutant. That would take seconds and, with ES modules, memory that is never freed.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { configureGlobal } from 'fast-check'
import { collect, run } from './jest-globals.js'

globalThis.__stryker__ ??= {}
const stryker = globalThis.__stryker__
const globals = new URL('jest-globals.js', import.meta.url).href

// A fixed seed gives the same score for the same sources. A failure is enough, so fast-check does not shrink
// it.
configureGlobal({ seed: 1, endOnFailure: true, numRuns: 30 })

/**
 * The number of times that the sources were loaded. They get new URLs each time, so that Node loads them again.
 */
let generation = 0
const stripped = new Map()

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true }
    const found = next(specifier, context)
    const isSource = /^file:.*\.ts$/.test(found.url) && !found.url.includes('/node_modules/')
    return isSource ? { ...found, url: `${found.url}?generation=${generation}` } : found
  },
  load(url, context, next) {
    if (!url.includes('?generation=')) return next(url, context)
    const file = fileURLToPath(url)
    if (!stripped.has(file)) stripped.set(file, stripTypeScriptTypes(readFileSync(file, 'utf8')))
    return { format: 'module', source: stripped.get(file), shortCircuit: true }
  },
})

/** The number of milliseconds that the tests of a file take without a mutant. */
const duration = new Map()

/**
 * Loads the tests and the sources again, file by file, so that no further file is loaded after a failure. The fastest
 * files come first. Tests of READMEs and of other processes are skipped, because no mutant is active in the programs
 * that they run.
 * @param {string} first the folder whose tests come before all others
 */
async function* load(first) {
  generation++
  const files = globSync('src/**/*.test.ts', {
    exclude: ['src/readme.test.ts', 'src/**/in-another-process.test.ts'],
  })
    .sort()
    .sort((a, b) => (duration.get(a) ?? 0) - (duration.get(b) ?? 0))
  const near = files.filter(file => dirname(file) === first)
  for (const file of new Set([...near, ...files])) {
    const name = relative('src', file)
    const found = await collect(name, () => import(pathToFileURL(resolve(file)).href))
    // Numbers identify the tests, because the names of tests may contain values from the sources.
    yield new Map(found.map((test, number) => [`${name} ${number}`, { ...test, file }]))
  }
}

// These are the original functions, because tests may replace them.
const { setTimeout, clearTimeout } = globalThis

/**
 * Returns the reason why a test fails, or undefined if it passes. A test also fails if it takes much longer than it
 * does without a mutant.
 */
async function failureOf(test) {
  const { took = 5000 } = test
  let timer
  const limit = new Promise((_, reject) => {
    timer = setTimeout(reject, 5000 + 20 * took, new Error('The test does not end.'))
  })
  try {
    await Promise.race([run(test), limit])
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : `threw ${String(error)}`
  } finally {
    clearTimeout(timer)
  }
}

/** The tests with unchanged sources, by file. Each test has run once, so that lazy initialization is done. */
let unmutated

async function dryRun() {
  stryker.mutantCoverage = { static: {}, perTest: {} }
  unmutated = new Map()
  for await (const tests of load()) for (const [id, test] of tests) unmutated.set(id, test)
  const results = []
  for (const [id, test] of unmutated) {
    stryker.currentTestId = id
    const started = performance.now()
    const failureMessage = await failureOf(test)
    test.took = performance.now() - started
    duration.set(test.file, (duration.get(test.file) ?? 0) + test.took)
    const result = failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage }
    results.push({ id, name: test.id, timeSpentMs: test.took, ...result })
  }
  const { mutantCoverage } = stryker
  stryker.mutantCoverage = stryker.currentTestId = undefined
  return { status: 'complete', tests: results, mutantCoverage }
}

/**
 * Returns the reason for the first failure of these tests. The fastest tests come first, because most mutants make one
 * of them fail.
 */
async function firstFailure(tests) {
  for (const [id, test] of [...tests].sort(([, a], [, b]) => (a.took ?? 0) - (b.took ?? 0))) {
    const failureMessage = await failureOf(test)
    if (failureMessage !== undefined) return { killedBy: [id], failureMessage }
  }
  return undefined
}

/** Loads the sources with the mutant, runs all tests, and returns the reason for the first failure. */
async function firstFailureAnew(folder) {
  try {
    for await (const tests of load(folder)) {
      for (const [id, test] of tests) test.took = unmutated.get(id)?.took
      const failure = await firstFailure(tests)
      if (failure !== undefined) return failure
    }
    return undefined
  } catch (error) {
    return { killedBy: [...unmutated.keys()].slice(0, 1), failureMessage: `The tests do not load: ${error}` }
  }
}

async function mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, sandboxFileName }) {
  if (unmutated === undefined) await dryRun()
  stryker.activeMutant = activeMutant.id
  // Stryker allows a hundred times as many hits as without a mutant, which takes minutes in an endless loop.
  stryker.hitLimit = hitLimit === undefined ? undefined : 100_000 + hitLimit / 20
  stryker.hitCount = hitLimit === undefined ? undefined : 0
  let failure
  if (mutantActivation === 'runtime')
    failure = await firstFailure(testFilter.map(id => [id, unmutated.get(id)]))
  // A mutant in code that runs only once, such as initialization, has an effect only in freshly loaded sources.
  failure ??= await firstFailureAnew(relative('.', dirname(sandboxFileName)))
  stryker.activeMutant = undefined
  if (failure === undefined) return { status: 'survived', nrOfTests: unmutated.size }
  if (stryker.hitCount > stryker.hitLimit) return { status: 'timeout', reason: 'a loop does not end' }
  return { status: 'killed', ...failure, nrOfTests: 1 }
}

// Late rejections caused by an earlier mutant must not end the process.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

export const strykerPlugins = [
  {
    kind: 'TestRunner',
    name: 'kept-process',
    factory: () => ({ capabilities: () => ({ reloadEnvironment: true }), dryRun, mutantRun }),
  },
]
