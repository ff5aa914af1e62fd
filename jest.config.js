import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Returns the seed of property tests: the variable SEED, or the first bits of the commit, or 0 outside a repository.
 */
function propertySeed() {
  const commit = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: import.meta.dirname }).stdout
  return Number(process.env.SEED ?? Number.parseInt(commit, 16)) || 0
}

// Programs that tests start from source share compiled code, without its types. This halves the time of a start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/signalbox-compiled')

const whole = { lines: 100, branches: 100, functions: 100 }

/** Tests run from source, because the condition `@signalbox/source` resolves `@signalbox/*` to each package's `src`. */
export default {
  roots: ['<rootDir>/.ci', '<rootDir>/packages', '<rootDir>/examples', '<rootDir>/benchmarks'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testRunner: '<rootDir>/.ci/jest.runner.js',
  injectGlobals: false,
  // Only for sources whose lines are counted.
  transform: { '\\.ts$': '<rootDir>/.ci/jest.transform.js' },
  // Without this setting, a machine with two cores would use only one for tests, although many tests wait for disks and
  // processes.
  maxWorkers: '100%',
  // Tests use real sockets, processes and files, which are slow on a busy machine.
  testTimeout: 300_000,
  globals: { propertySeed: propertySeed() },
  testSequencer: '<rootDir>/.ci/jest.sequencer.js',
  globalSetup: '<rootDir>/.ci/jest.setup.js',
  collectCoverageFrom: ['packages/*/src/**/*.ts', '!**/*.{test,tst,fuzz}.ts'],
  // What guards the wire and everything that stands on it is covered whole; elsewhere tests go where the risk is.
  coverageThreshold: {
    './packages/codec/src/**/*.ts': whole,
    './packages/core/src/**/*.ts': whole,
    './packages/*/src/contract/**/*.ts': whole,
  },
  coverageReporters: ['text-summary', 'json-summary', 'json'],
}
