import { resolve } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { readEvent } from '../check/read-event.ts'
import { dialectOption, wordsOf } from './dialect-option.ts'

/** Sends one event to a function. */
export const invoke = defineCommand({
  name: 'invoke',
  summary: 'Send one event to a function, and print its payload and the verdict',
  usage: 'FUNCTION FILE [--dialect NAME] | FUNCTION --sample NAME [--config FILE] [--json]',
  details: `No platform has to be running: the function is loaded for this event. The invocation is logged.
A function with a dialect receives the event in its dialect, even when the file has another dialect.

Exit codes: 0 the platform accepts the result; 1 it does not; 2 the event cannot be sent.`,
  examples: [
    ['signalbox invoke orders event.json', 'sends the event in the file'],
    [
      'signalbox invoke sign-up --sample PreSignUp_SignUp',
      'sends a sample; signalbox sample --list prints the names',
    ],
  ],
  options: {
    sample: { type: 'string', short: 's', value: 'NAME', help: 'send a sample instead of a file' },
    dialect: { ...dialectOption, help: `${dialectOption.help}, for a FILE` },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  async run({ sample, dialect, config, json = false }, operands, terminal) {
    const [name, file] = operands
    if (name === undefined) throw new UsageError('invoke needs a function.')
    if ((file === undefined) === (sample === undefined))
      throw new UsageError('invoke needs a file or a sample, and not both.')
    if (sample !== undefined && dialect !== undefined) throw new UsageError('A sample needs no --dialect.')
    refuseOperands('invoke', operands, 2)
    const event =
      sample === undefined ? await eventIn(file!, dialect, terminal) : await sampled(sample, terminal)
    const { invokeFunction } = await import('./invoke-function.ts')
    return invokeFunction(
      name,
      event,
      'invoke',
      { json, ...(config === undefined ? {} : { config }) },
      terminal,
    )
  },
})

async function eventIn(
  file: string,
  dialect: string | undefined,
  terminal: CommandContext,
): Promise<unknown> {
  const { read } = wordsOf(dialect, terminal.dialects)
  const found = await readEvent(resolve(terminal.cwd, file))
  if ('unreadable' in found) throw new Error(`${file} cannot be sent: ${found.unreadable}.`)
  return read(found.event)
}

async function sampled(name: string, { families }: CommandContext): Promise<unknown> {
  const { sampleEvent, samplesOf } = await import('./sample-event.ts')
  return sampleEvent(name, samplesOf(await families()))
}
