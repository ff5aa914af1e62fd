import type { CommandContext, ExitCode } from '@signalbox/platform-runtime/command-line'
import { printableJson, printableLines, printableWriting } from '@signalbox/platform-runtime/command-line'
import type { Fired } from '@signalbox/platform-runtime/platform'

/** Fires an event at a function of the configuration, and prints what came of it. */
export async function fireAt(
  name: string,
  event: unknown,
  source: string,
  { config: given, json }: { readonly config?: string; readonly json: boolean },
  terminal: CommandContext,
): Promise<ExitCode> {
  const platform = (await terminal.project(given)).platform()
  try {
    const fired = await platform.fire(name, event, { source })
    terminal.print(json ? printableJson(fired) : describe(fired, terminal))
    // A trigger denies by throwing, which is an answer; a function that never came to its end has none.
    const answered = fired.failure === undefined || fired.failure.kind === 'threw'
    return answered && fired.conclusion?.ok === true ? 0 : 1
  } finally {
    await platform.stop()
  }
}

function describe(
  { payload, conclusion, failure, logs, duration }: Fired,
  { paint }: Pick<CommandContext, 'paint'>,
): string {
  const verdict =
    conclusion === undefined
      ? 'none: the event breaks its contract, so no platform would send it (signalbox check says where)'
      : paint(conclusion.ok ? 'green' : 'red', printableLines(conclusion.text))
  return [
    ...(logs.length === 0
      ? []
      : [
          paint('bold', 'logs'),
          ...logs.map(({ text }) => text.split('\n').map(printableWriting).join('\n')),
        ]),
    `${paint('bold', 'payload')} ${paint('dim', `after ${duration} ms`)}`,
    payload === '' ? paint('dim', '(nothing)') : pretty(payload),
    ...(failure === undefined
      ? []
      : [`${paint('bold', 'failure')} ${paint('red', printableLines(failure.message))}`]),
    `${paint('bold', 'verdict')} ${verdict}`,
  ].join('\n')
}

function pretty(payload: string): string {
  return printableLines(JSON.stringify(JSON.parse(payload), null, 2))
}
