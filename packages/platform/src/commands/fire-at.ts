import type { ExitCode } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { createPlatform, type Fired, type Platform } from '../platform.ts'
import { configFor } from './config-option.ts'

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
