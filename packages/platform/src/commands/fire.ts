import { resolve } from 'node:path'
import { readEvent } from '../check/read-event.ts'
import { defineCommand, type ExitCode } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { createPlatform, type Fired, type Platform } from '../platform.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { configFor, configOption } from './config-option.ts'
import { refuseOperands } from './operands.ts'

/** Sends one event to a function. */
export const fire = defineCommand({
  name: 'fire',
  summary: 'Send one event to a function, and print its payload and the verdict',
  usage: 'FUNCTION FILE | FUNCTION --sample NAME [--config FILE] [--json]',
  details: `Nothing has to be running: the function is loaded for this one event. It goes into the journal all the same.

Exit codes: 0 the platform can go on with the answer; 1 it cannot; 2 the event cannot be sent.`,
  examples: [
    ['signalbox fire orders event.json', 'sends the event in the file'],
    [
      'signalbox fire sign-up --sample PreSignUp_SignUp',
      'sends a sample; signalbox sample --list names them',
    ],
  ],
  options: {
    sample: { type: 'string', short: 's', value: 'NAME', help: 'send a sample instead of a file' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  async run({ sample, config, json = false }, operands, terminal) {
    const [name, file] = operands
    if (name === undefined) throw new UsageError('fire needs a function.')
    if ((file === undefined) === (sample === undefined))
      throw new UsageError('fire needs a file or a sample, and not both.')
    refuseOperands('fire', operands, 2)
    const event = sample === undefined ? await eventIn(file!, terminal) : await sampleEvent(sample)
    return fireAt(name, event, 'fire', { json, ...(config === undefined ? {} : { config }) }, terminal)
  },
})

/** Fires an event at a function of the configuration, and prints what came of it. */
export async function fireAt(
  name: string,
  event: unknown,
  source: string,
  { config: given, json }: { readonly config?: string; readonly json: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const { config, root } = await configFor(given, terminal)
  const platform: Platform = createPlatform(config, { root })
  try {
    const fired = await platform.fire(name, event, { source })
    terminal.print(json ? JSON.stringify(fired) : describe(fired, terminal))
    return fired.conclusion?.ok === true ? 0 : 1
  } finally {
    await platform.stop()
  }
}

async function eventIn(file: string, terminal: Terminal): Promise<unknown> {
  const found = await readEvent(resolve(terminal.cwd, file))
  if ('unreadable' in found) throw new Error(`${file} cannot be sent: ${found.unreadable}.`)
  return found.event
}

function describe({ payload, conclusion, failure, logs, duration }: Fired, { paint }: Terminal): string {
  const verdict =
    conclusion === undefined
      ? 'none: the event breaks its contract, so no platform would send it (signalbox check says where)'
      : paint(conclusion.ok ? 'green' : 'red', conclusion.text)
  return [
    ...(logs.length === 0 ? [] : [paint('bold', 'logs'), ...logs.map(({ text }) => text)]),
    `${paint('bold', 'payload')} ${paint('dim', `after ${duration} ms`)}`,
    payload === '' ? paint('dim', '(nothing)') : pretty(payload),
    ...(failure === undefined ? [] : [`${paint('bold', 'failure')} ${paint('red', failure.message)}`]),
    `${paint('bold', 'verdict')} ${verdict}`,
  ].join('\n')
}

function pretty(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}
