import type { Invocation } from '@signalbox/platform-runtime'
import type { CommandContext, ExitCode } from '@signalbox/platform-runtime/command-line'
import {
  printableJson,
  printableLines,
  printableWriting,
  seePageOfFailure,
  withPage,
} from '@signalbox/platform-runtime/command-line'
import type { Words } from './dialect-option.ts'

/** Sends an event to a function in the configuration, and prints the payload and the verdict. */
export async function invokeFunction(
  name: string,
  event: unknown,
  source: string,
  {
    config: configFile,
    json,
    words,
  }: { readonly config?: string; readonly json: boolean; readonly words?: Words },
  terminal: CommandContext,
): Promise<ExitCode> {
  const platform = (await terminal.project(configFile)).platform()
  try {
    const invocation = await platform.invoke(name, event, { source })
    const translated = words === undefined ? invocation : inWords(invocation, event, words)
    terminal.print(json ? printableJson(translated) : describe(translated, terminal))
    // A trigger that throws denies the request, which is a valid result. Any other kind of failure is an invalid
    // result.
    const answered = invocation.failure === undefined || invocation.failure.kind === 'threw'
    return answered && invocation.verdict?.ok === true ? 0 : 1
  } finally {
    await platform.stop()
  }
}

/** Translates the payload of an invocation, and the response in its verdict, to the names of a dialect. */
function inWords(invocation: Invocation, event: unknown, words: Words): Invocation {
  const { payload, verdict, failure } = invocation
  if (payload === '' || failure !== undefined) return invocation
  const neutral = JSON.parse(payload) as unknown
  const written = words.write(neutral, words.event(event))
  const [from, to] = [neutral, written].map(quotedResponse)
  return {
    ...invocation,
    payload: JSON.stringify(written),
    ...(verdict && { verdict: { ...verdict, text: verdict.text.replace(from!, () => to!) } }),
  }
}

/** Returns the response of a trigger as a verdict quotes it. */
function quotedResponse(result: unknown): string {
  return JSON.stringify((result as { readonly response?: unknown } | null)?.response) ?? ''
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
          ...logs.map(({ text }) =>
            text
              .split('\n')
              .map(part => printableWriting(part, paint))
              .join('\n'),
          ),
        ]),
    `${paint('bold', 'payload')} ${paint('dim', `after ${duration} ms`)}`,
    payload === '' ? paint('dim', '(nothing)') : pretty(payload),
    ...(failure === undefined
      ? []
      : [
          withPage(
            `${paint('bold', 'failure')} ${paint('red', printableLines(failure.message))}`,
            seePageOfFailure(failure.message),
          ),
        ]),
    `${paint('bold', 'verdict')} ${verdictText}`,
  ].join('\n')
}

function pretty(payload: string): string {
  return printableLines(JSON.stringify(JSON.parse(payload), null, 2))
}
