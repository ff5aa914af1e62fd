// Runs the tests of each family a second time, with the guards that its build wrote instead of the guards that
// the sources compile. Needs a build: `npm run test:ready`.
import { fileURLToPath } from 'node:url'
import config from '../jest.config.js'

const rootDir = fileURLToPath(new URL('..', import.meta.url))

const {
  transform,
  extensionsToTreatAsEsm,
  testMatch,
  moduleNameMapper,
  globals,
  setupFiles,
  globalSetup,
  testEnvironment,
  testEnvironmentOptions,
} = config

export default {
  rootDir,
  maxWorkers: config.maxWorkers,
  projects: ['queue', 'user-pool', 'mail-flow', 'load-balancer'].map(name => ({
    displayName: name,
    rootDir,
    roots: [`<rootDir>/packages/${name}/src`],
    testMatch,
    extensionsToTreatAsEsm,
    transform,
    globals,
    setupFiles,
    globalSetup,
    testEnvironment,
    testEnvironmentOptions,
    moduleNameMapper: {
      ...moduleNameMapper,
      '(?:^\\.|/contract)/ready\\.ts$': `<rootDir>/packages/${name}/dist/contract/ready.js`,
    },
  })),
}
