import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'

const root = mkdtempSync(join(tmpdir(), 'signalbox-clone-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (command: string, args: readonly string[], cwd: string) =>
  spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } })

it('a fresh clone installs its dependencies with one line, although they want another Node', () => {
  // The dependency stands for the Node that the repository brings.
  const dependency = join(root, 'dependency')
  mkdirSync(dependency)
  const manifest = { name: 'own-node', version: '1.0.0', bin: { node: 'node.js' }, engines: { node: '>=99' } }
  writeFileSync(join(dependency, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(dependency, 'node.js'), '#!/bin/sh\necho "ran $1"\n')
  run('npm', ['pack', '--pack-destination=..'], dependency)
  const clone = join(root, 'clone')
  mkdirSync(join(clone, '.ci'), { recursive: true })
  cpSync(join(import.meta.dirname, 'run-with-dependencies.js'), join(clone, '.ci/run-with-dependencies.js'))
  const own = { private: true, type: 'module', devDependencies: { 'own-node': 'file:../own-node-1.0.0.tgz' } }
  writeFileSync(join(clone, 'package.json'), JSON.stringify(own))
  run('npm', ['install', '--package-lock-only', '--offline'], clone)

  const start = () => run(process.execPath, ['.ci/run-with-dependencies.js', 'node', 'it'], clone)
  const first = start()
  expect(first.stderr).toMatch(
    /^Installing the dependencies of this repository, which takes a few minutes … done in \d+ s\n$/,
  )
  expect([first.status, first.stdout]).toEqual([0, 'ran it\n'])
  const second = start()
  expect([second.status, second.stdout, second.stderr]).toEqual([0, 'ran it\n', ''])
})
