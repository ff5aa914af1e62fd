#!/usr/bin/env node
import {
  askOn,
  contextOf,
  paintFor,
  progressOn,
  run,
  stopSignal,
} from '@signalbox/platform-runtime/command-line'
import { chooseOn } from './command-line/choose-on.ts'
import { dev } from './commands/dev.ts'
import { start } from './commands/start.ts'
import { ownVersion } from './own-code.ts'
import { program } from './source-modules.ts'

let onLostOutput: (() => void) | undefined
// The reader of the output, such as `head`, may exit first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (onLostOutput !== undefined) return onLostOutput()
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output cannot be written: ${error.message}\n`)
  process.exit(2)
})
process.stderr.on('error', () => {})

const ask = askOn(process.stdin, process.stderr)
const choose = chooseOn(process.stdin, process.stderr)
const progress = progressOn(process.stderr)
const terminal = {
  cwd: process.cwd(),
  paint: paintFor(process.stdout, process.env),
  onLostOutput(listener: () => void) {
    onLostOutput = listener
  },
  print: (text: string) => void process.stdout.write(`${text}\n`),
  printError: (text: string) => void process.stderr.write(`${text}\n`),
  ...(ask === undefined ? {} : { ask }),
  ...(choose === undefined ? {} : { choose }),
  ...(progress === undefined ? {} : { progress }),
  get stop() {
    return stopSignal()
  },
}
// A platform that runs does without the code of the other commands.
const running = [dev, start]
const all = async () => (await import('./commands/all.ts')).allCommands()
process.exitCode = await run(process.argv.slice(2), running, ownVersion(), contextOf(program, terminal), all)
