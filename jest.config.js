/** Tests run from source: the scoped condition sends `@signalbox/*` to each package's `src`. */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/examples', '<rootDir>/benchmarks'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@signalbox/source', 'node', 'node-addons'] },
  collectCoverageFrom: ['packages/*/src/**/*.ts', '!**/*.{test,tst,fuzz}.ts'],
  coverageReporters: ['text-summary', 'json-summary', 'json'],
}
