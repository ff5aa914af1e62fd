#!/usr/bin/env node
// This file is plain JavaScript, so that users of an old Node or a fresh clone see a helpful message instead of a stack
// trace.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const command = new URL('../dist/command.js', import.meta.url)

if (major < 22 || (major === 22 && minor < 13)) {
  const command = ['signalbox', ...process.argv.slice(2)].join(' ')
  fail(
    `signalbox needs Node 22.13 or later, and this is ${process.version}. With a Node of its own:\n  npx -p node@24 -p @signalbox/platform ${command}`,
  )
} else if (!existsSync(command)) {
  fail('signalbox is not built yet: run `npm run build` at the top of the repository.')
} else {
  quietly()
  keepCompiledCode()
  await import(command.href)
}

// Hides the warnings of Node 22 that its support for SQLite and TypeScript is experimental.
function quietly() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...more) => {
    if (more[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...more)
  }
}

// Keeps compiled code for the next start, that of instances and the JavaScript of TypeScript files too. It is kept in this
// package, where only those can change it who can also change the code.
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/', import.meta.url))
  module.enableCompileCache()
}

function fail(message) {
  console.error(message)
  process.exitCode = 2
}
