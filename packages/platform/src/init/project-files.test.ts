import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { projectFiles } from './project-files.ts'
import { starters } from './starters.ts'
import { testRunners } from './test-runners.ts'

const source = { versionOf: () => '^0.1.0', beside: [] }
const manifestFor = (runner: string, needsNode = false) =>
  JSON.parse(
    projectFiles({ name: 'shop', starters, runner: testRunners[runner]!, source, needsNode })[
      'package.json'
    ]!,
  ) as { [field: string]: { [name: string]: string } }

it('a new project depends only on packages that its code imports, and on tools', () => {
  const { dependencies, devDependencies } = manifestFor('node:test')
  expect(Object.keys(dependencies!)).toEqual([
    '@signalbox/aws',
    '@signalbox/codec',
    '@signalbox/core',
    '@signalbox/load-balancer',
    '@signalbox/mail-flow',
    '@signalbox/platform',
    '@signalbox/queue',
    '@signalbox/user-pool',
    'io-ts',
  ])
  expect(Object.keys(devDependencies!)).toEqual([
    '@signalbox/bundler',
    '@types/node',
    'esbuild',
    'typescript',
  ])
})

it('a new project depends on the package `node` only if it needs its own Node', () => {
  expect(manifestFor('jest', true).devDependencies).toHaveProperty('node')
  expect(manifestFor('jest').devDependencies).not.toHaveProperty('node')
  expect(manifestFor('jest', true).allowScripts).toEqual({ esbuild: true, '@swc/core': true, node: true })
})

it('a new project uses the same major versions of tools as this repository', () => {
  const root = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: { [name: string]: string }
  }
  const { devDependencies } = manifestFor('jest', true)
  for (const [name, range] of Object.entries(devDependencies!)) {
    const tested = root.devDependencies[name]
    if (tested !== undefined) expect([name, majorOf(tested)]).toEqual([name, majorOf(range)])
  }
})

function majorOf(range: string): number {
  return Number(/\d+/.exec(range)?.[0])
}
