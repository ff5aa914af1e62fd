// `npm run mutation -- PACKAGE [FILE…]` mutates sources of a package and counts the mutants that its tests notice.
// Without files, it mutates all sources of core or codec, or the sources in `contract/` of a family. See
// docs/mutation-testing.md.
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'
import { isMissed } from './mutation/missed-reporter.js'

const [name, ...files] = process.argv.slice(2)
const folder = fileURLToPath(new URL(`../packages/${name}`, import.meta.url))
if (name === undefined || !existsSync(folder)) throw new Error('usage: npm run mutation -- PACKAGE [FILE…]')
process.chdir(folder)
const sources = existsSync('src/contract') ? 'src/contract/**/*.ts' : 'src/**/*.ts'

const mutants = await new Stryker({
  mutate: [
    ...(files.length > 0 ? files : [sources]),
    '!src/**/{*.{test,tst,fuzz},*-suite}.ts',
    '!src/testing/**',
  ],
  plugins: ['runner', 'missed-reporter'].map(file =>
    fileURLToPath(new URL(`mutation/${file}.js`, import.meta.url)),
  ),
  testRunner: 'kept-process',
  testRunnerNodeArgs: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // The runner limits the time of each test. A mutant that no test notices takes twice the time of all tests.
  timeoutMS: 300_000,
  // The compiler no longer has the configuration interface that Stryker needs.
  tsconfigFile: 'none',
  // jest does not search this folder, and Node finds the dependencies of the repository from it.
  tempDirName: '../../.stryker-tmp',
  ignorePatterns: ['dist', 'coverage'],
  disableTypeChecks: false,
  reporters: ['missed', 'progress-append-only'],
  logLevel: 'warn',
  allowConsoleColors: false,
}).runMutationTest()

const counted = mutants.filter(({ status }) => status !== 'Ignored')
const byFile = Map.groupBy(counted, ({ fileName }) => relative('.', fileName))
let score
for (const [where, all] of [...byFile, [name, counted]]) {
  score = (100 * (all.length - all.filter(isMissed).length)) / all.length
  console.log(`${score.toFixed(1).padStart(6)} % of ${String(all.length).padStart(4)} mutants: ${where}`)
}
if (files.length === 0 && score < 95) {
  console.log('At least 95 % of the mutants must be noticed: see docs/mutation-testing.md.')
  process.exitCode = 1
}
