// A test runner for Stryker that keeps one process for many mutants. Jest itself would load every module anew for each
// mutant, which costs seconds and, with ES modules, memory that is never freed.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { configureGlobal } from 'fast-check'
import { collect, run } from './jest-globals.js'

globalThis.__stryker__ ??= {}
const stryker = globalThis.__stryker__
const globals = new URL('jest-globals.js', import.meta.url).href

// The score of one state of the sources is always the same, and a failure is enough without its smallest example.
configureGlobal({ seed: 1, endOnFailure: true, numRuns: 30 })

/** Counts how often the sources were loaded. Each time, their addresses are new to Node. */
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

/** How many milliseconds the tests of a file took without a mutant. */
const duration = new Map()

/**
 * Loads the tests anew, and the sources with them: file by file, so that what comes after a failure is not loaded.
 * Files that took the least time come first. Those of READMEs run programs of their own, where no mutant is active.
 * @param {string} first the folder whose tests come before all others
 */
async function* load(first) {
  generation++
  const files = globSync('src/**/*.test.ts', { exclude: ['src/readme.test.ts'] })
    .sort()
    .sort((a, b) => (duration.get(a) ?? 0) - (duration.get(b) ?? 0))
  const near = files.filter(file => dirname(file) === first)
  for (const file of new Set([...near, ...files])) {
    const name = relative('src', file)
    const found = await collect(name, () => import(pathToFileURL(resolve(file)).href))
    // By their numbers, because names show values of the sources.
    yield new Map(found.map((test, number) => [`${name} ${number}`, { ...test, file }]))
  }
}

// Not those that tests replace.
const { setTimeout, clearTimeout } = globalThis

/** Why a test fails; undefined when it holds. One fails, too, that takes much longer than without a mutant. */
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

/** The tests with sources that no mutant has touched, by files; each was run once, so that what is lazy is done. */
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
    const outcome = failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage }
    results.push({ id, name: test.id, timeSpentMs: test.took, ...outcome })
  }
  const { mutantCoverage } = stryker
  stryker.mutantCoverage = stryker.currentTestId = undefined
  return { status: 'complete', tests: results, mutantCoverage }
}

/** Why the first of these tests fails that does. */
async function firstFailure(tests) {
  for (const [id, test] of tests) {
    const failureMessage = await failureOf(test)
    if (failureMessage !== undefined) return { killedBy: [id], failureMessage }
  }
  return undefined
}

/** The same of all tests, in sources that are loaded with the mutant. */
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
  // Stryker allows for a hundred times the hits without a mutant, which takes minutes in a loop that does not end.
  stryker.hitLimit = hitLimit === undefined ? undefined : 100_000 + hitLimit / 20
  stryker.hitCount = hitLimit === undefined ? undefined : 0
  let failure
  if (mutantActivation === 'runtime')
    failure = await firstFailure(testFilter.map(id => [id, unmutated.get(id)]))
  // What is done once, at first or when a module loads, shows only in sources that are loaded with the mutant.
  failure ??= await firstFailureAnew(relative('.', dirname(sandboxFileName)))
  stryker.activeMutant = undefined
  if (failure === undefined) return { status: 'survived', nrOfTests: unmutated.size }
  if (stryker.hitCount > stryker.hitLimit) return { status: 'timeout', reason: 'a loop does not end' }
  return { status: 'killed', ...failure, nrOfTests: 1 }
}

// What a mutant leaves behind fails somewhere else.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

export const strykerPlugins = [
  {
    kind: 'TestRunner',
    name: 'kept-process',
    factory: () => ({ capabilities: () => ({ reloadEnvironment: true }), dryRun, mutantRun }),
  },
]
