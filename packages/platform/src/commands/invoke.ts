import { resolve } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { dialectOf } from '../check/dialect-of.ts'
import { readEvent } from '../check/read-event.ts'
import { dialectOption, type Words, wordsOf } from './dialect-option.ts'

/** Sends one event to a function. */
export const invoke = defineCommand({
  name: 'invoke',
  summary: 'Send one event to a function, and print its payload and the verdict',
  usage: 'FUNCTION (FILE | --sample NAME) [--dialect NAME] [--config FILE] [--json]',
  details: `No platform has to be running: the function is loaded for this event. The invocation is logged.
With --dialect, the file has the provider's words, and payload and verdict are printed in them. A function with a
dialect receives the event in its own.

Exit codes: 0 the platform accepts the result; 1 it does not; 2 the event cannot be sent.`,
  examples: [
    ['signalbox invoke orders event.json', 'sends the event in the file'],
    ['signalbox invoke orders event.json --dialect aws', 'sends an event as AWS sends it'],
    [
      'signalbox invoke sign-up --sample PreSignUp_SignUp',
      'sends a sample; signalbox sample --list prints the names',
    ],
  ],
  options: {
    sample: { type: 'string', value: 'NAME', help: 'send a sample instead of a file' },
    dialect: dialectOption,
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  async run({ sample, dialect, config, json = false }, operands, terminal) {
    const [name, file] = operands
    if (name === undefined) throw new UsageError('invoke needs a function.')
    if ((file === undefined) === (sample === undefined))
      throw new UsageError('invoke needs a file or a sample, and not both.')
    refuseOperands('invoke', operands, 2)
    const words = wordsOf(dialect, terminal.dialects)
    const event =
      sample === undefined
        ? await eventIn(file!, dialect === undefined ? undefined : words, terminal)
        : await sampled(sample, terminal)
    const { invokeFunction } = await import('./invoke-function.ts')
    return invokeFunction(
      name,
      event,
      'invoke',
      { json, words, ...(config === undefined ? {} : { config }) },
      terminal,
    )
  },
})

async function eventIn(
  file: string,
  words: Words | undefined,
  { cwd, dialects, families, printError }: CommandContext,
): Promise<unknown> {
  const found = await readEvent(resolve(cwd, file))
  if ('unreadable' in found) {
    const hint = /^\s*[[{]/.test(file) ? ' Write the event into a file, and name the file.' : ''
    throw new Error(`${file} cannot be sent: ${found.unreadable}.${hint}`)
  }
  const { event } = found
  if (words !== undefined) return words.read(event)
  const known = await families()
  const dialect = dialectOf(event, dialects, known)
  if (dialect === undefined) return event
  const { name, family } = dialect
  if (known.of(event) === undefined)
    throw new Error(
      `${file} cannot be sent: it is a ${family} event in the dialect ${name}. Use --dialect ${name}.`,
    )
  printError(`${file} has words of the dialect ${name}, which are sent as they are. Use --dialect ${name}.`)
  return event
}

async function sampled(name: string, { families }: CommandContext): Promise<unknown> {
  const { sampleEvent, samplesOf } = await import('./sample-event.ts')
  return sampleEvent(name, samplesOf(await families()))
}
