import type { Invocation } from '@signalbox/platform-runtime'
import type { CommandContext, ExitCode } from '@signalbox/platform-runtime/command-line'
import { printableJson, printableLines, printableWriting } from '@signalbox/platform-runtime/command-line'

/** Sends an event to a function of the configuration, and prints payload and verdict. */
export async function invokeFunction(
  name: string,
  event: unknown,
  source: string,
  { config: configFile, json }: { readonly config?: string; readonly json: boolean },
  terminal: CommandContext,
): Promise<ExitCode> {
  const platform = (await terminal.project(configFile)).platform()
  try {
    const invocation = await platform.invoke(name, event, { source })
    terminal.print(json ? printableJson(invocation) : describe(invocation, terminal))
    // A trigger denies by throwing, which is a result. Any other failure is not.
    const answered = invocation.failure === undefined || invocation.failure.kind === 'threw'
    return answered && invocation.verdict?.ok === true ? 0 : 1
  } finally {
    await platform.stop()
  }
}

function describe(
  { payload, verdict, failure, logs, duration }: Invocation,
  { paint }: Pick<CommandContext, 'paint'>,
): string {
  const verdictText =
    verdict === undefined
      ? 'none: the event breaks its contract, so no platform would send it (signalbox check says where)'
      : paint(verdict.ok ? 'green' : 'red', printableLines(verdict.text))
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
    `${paint('bold', 'verdict')} ${verdictText}`,
  ].join('\n')
}

function pretty(payload: string): string {
  return printableLines(JSON.stringify(JSON.parse(payload), null, 2))
}
