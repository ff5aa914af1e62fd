// `npm test` (node .ci/test.js) and `npm run check` (node .ci/test.js check) run their steps, as many at a time as there
// are cores, even if one fails. The last line of the output is `N passed, N failed`, which counts each step and each unit
// test.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import jestConfig from '../jest.config.js'

const isCheck = process.argv[2] === 'check'
const cores = availableParallelism()
const scratch = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
const report = join(scratch, 'jest.json')
const bin = name => join('node_modules', '.bin', name)
const turbo = task => [bin('turbo'), 'run', task, '--output-logs=errors-only']
const jest = [
  bin('node'),
  '--conditions=@signalbox/source',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${report}`,
  // More workers than cores, because many tests wait for clients, disks and other processes.
  `--maxWorkers=${cores * 2}`,
]

// Coverage is collected only where it has a limit, because it slows down the code. What only tests share has none.
const covered = [
  ...Object.keys(jestConfig.coverageThreshold),
  '!**/{*.{test,tst,fuzz},*-suite}.ts',
  '!packages/*/src/*/testing/**',
]

// A step starts when the steps in `after` have ended. The tests come last, because they use all cores.
const steps = [
  { name: 'type tests', command: [bin('tstyche'), '--root', '.', '--config', '.ci/tstyche.json'] },
  // Each checker of the compiler checks some types again, and another step has the other half of the cores.
  {
    name: 'types',
    command: [
      bin('tsc'),
      '-p',
      'tsconfig.json',
      '--checkers',
      `${Math.ceil(cores / 2)}`,
      // The build makes the declarations of packages, and so checks them. Nothing makes those of tests and examples.
      ...(isCheck ? ['--declaration', 'false'] : []),
    ],
  },
  { name: 'lint', command: [bin('biome'), 'check', '.'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'lockfile', command: [bin('node'), '.ci/lint-lockfile.js'] },
  { name: 'order of folders', command: [bin('node'), '.ci/lint-rooms.js'] },
  { name: 'length of files', command: [bin('node'), '.ci/lint-file-lengths.js'] },
  { name: 'workflows', command: [bin('node'), '.ci/lint-workflows.js'], showsOutput: true },
]
if (isCheck) {
  steps.unshift({ name: 'build', command: turbo('build') })
  steps.push(
    {
      name: 'package shape, and dry run of publishing',
      after: ['build'],
      command: [bin('node'), '.ci/dry-publish.js'],
    },
    // This step waits for installations most of the time, so the tests start beside it.
    { name: "a new user's first minutes", after: ['build'], command: [bin('node'), '.ci/first-minutes.js'] },
  )
}
steps.push(
  isCheck
    ? {
        name: 'all tests, with coverage',
        after: ['build'],
        command: [
          ...jest,
          '--coverage',
          ...covered.map(glob => `--collectCoverageFrom=${glob.replace(/^\.\//, '')}`),
        ],
        env: { CHECK: '1' },
      }
    : {
        name: 'unit and property tests',
        command: [...jest, String.raw`--testPathIgnorePatterns=/node_modules/|/dist/|\.check\.test\.ts$`],
      },
)

let passed = 0
let failed = 0
/** What jest says about coverage below its limit, which is in no report. */
const missingCoverage = []
const waiting = [...steps]
const running = new Map()
while (waiting.length + running.size > 0) {
  const isOpen = name => running.has(name) || waiting.some(each => each.name === name)
  const next = waiting.findIndex(({ after = [] }) => !after.some(isOpen))
  if (next >= 0 && running.size < cores) {
    const [step] = waiting.splice(next, 1)
    running.set(step.name, run(step))
  } else running.delete(await Promise.race(running.values()))
}
try {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  console.log(`The slowest test files, in seconds:\n${slowest(testResults).join('\n')}`)
  // Last, because whoever shows only the end of a long output shows these.
  for (const failure of [...failures(testResults), ...missingCoverage]) console.log(failure)
  passed += numPassedTests
  failed += numFailedTests + numRuntimeErrorTestSuites
} catch {
  console.log('FAIL the unit tests wrote no report')
  failed++
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Returns a line for each of the slowest test files, the slowest first. Their times overlap. */
function slowest(files) {
  const seconds = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1000)
  const sorted = files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 40)
  return sorted.map(file => `${String(seconds(file)).padStart(5)} ${relative('.', file.name)}`)
}

/** Returns what failed, each with its file and the first lines of why. */
function failures(files) {
  const why = text => stripVTControlCharacters(text).trim().split('\n').slice(0, 12).join('\n')
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('.', name)
    const failed = assertionResults.filter(test => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`FAIL ${file}\n${why(message)}`]
    return failed.map(test => `FAIL ${file}: ${test.fullName}\n${why(test.failureMessages.join('\n'))}`)
  })
}

/** Runs a step to its end, prints whether it passed, and returns its name. */
function run({ name, command: [program, ...args], env = {}, showsOutput }) {
  const started = Date.now()
  return new Promise(resolve => {
    const child = spawn(program, args, { env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    const end = (hasPassed, text) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
      if (hasPassed) passed++
      else failed++
      missingCoverage.push(...(text.match(/^Jest: .*coverage.*$/gm) ?? []))
      if ((!hasPassed || showsOutput) && text !== '') console.log(text.trimEnd())
      resolve(name)
    }
    child.on('error', error => end(false, String(error)))
    child.on('close', code => end(code === 0, output))
  })
}
