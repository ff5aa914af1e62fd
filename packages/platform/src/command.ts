#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import {
  askOn,
  contextOf,
  paintFor,
  progressOn,
  run,
  stopSignal,
} from '@signalbox/platform-runtime/command-line'
import { commands, sourceCommands } from './commands/all.ts'
import { program } from './source-modules.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

// The reader of the output, such as `head`, may exit first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output cannot be written: ${error.message}\n`)
  process.exit(2)
})
process.stderr.on('error', () => {})

const ask = askOn(process.stdin, process.stderr)
const progress = progressOn(process.stderr)
const terminal = {
  cwd: process.cwd(),
  paint: paintFor(process.stdout, process.env),
  print: (text: string) => void process.stdout.write(`${text}\n`),
  printError: (text: string) => void process.stderr.write(`${text}\n`),
  ...(ask === undefined ? {} : { ask }),
  ...(progress === undefined ? {} : { progress }),
  get stop() {
    return stopSignal()
  },
}
process.exitCode = await run(
  process.argv.slice(2),
  commands,
  version,
  contextOf(program, terminal),
  sourceCommands,
)
