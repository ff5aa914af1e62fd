import type { TestSyntax } from '@signalbox/platform-runtime'

/** A test runner that a new project can use. */
export interface TestRunner extends TestSyntax {
  /** The script of `npm test`. */
  readonly script: string
  readonly devDependencies: { readonly [name: string]: string }
  /** The packages whose install scripts npm may run. */
  readonly installScripts: readonly string[]
  /** Additional fields of package.json. */
  readonly manifest: object
}

const expecting = (actual: string, expected: string) => `expect(${actual}).toEqual(${expected})`

/** The test runners by name. The first one is the default. */
export const testRunners: { readonly [name: string]: TestRunner } = {
  'node:test': {
    script: 'node --test --test-timeout=30000',
    devDependencies: {},
    installScripts: [],
    manifest: {},
    imports: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'",
    equal: (actual, expected) => `assert.deepEqual(${actual}, ${expected})`,
  },
  jest: {
    // middy exists only as an ES module, and jest needs this flag to load it.
    script: 'node --experimental-vm-modules node_modules/jest/bin/jest.js',
    devDependencies: { '@swc/core': '^1.16.0', '@swc/jest': '^0.2.39', jest: '^30.5.0' },
    installScripts: ['@swc/core'],
    manifest: {
      jest: {
        extensionsToTreatAsEsm: ['.ts'],
        testEnvironment: 'node',
        testTimeout: 30_000,
        transform: {
          '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023' }, module: { type: 'es6' } }],
        },
      },
    },
    imports: "import { expect, test } from '@jest/globals'",
    equal: expecting,
  },
  vitest: {
    script: 'vitest run --test-timeout=30000',
    devDependencies: { vitest: '^5.1.0' },
    installScripts: [],
    manifest: {},
    imports: "import { expect, test } from 'vitest'",
    equal: expecting,
  },
}
