import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { Paint } from '@signalbox/platform-runtime/command-line'
import { printable, printableWriting } from '@signalbox/platform-runtime/command-line'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'

/** Formats an invocation as one line, followed by the output of the function. */
export function invocationLine(entry: InvocationLogEntry, families: PlatformFamilies, paint: Paint): string {
  const { id, started, functionName, duration, logs, masked } = entry
  const line = [
    paint('dim', `#${id}`),
    paint('dim', new Date(started).toISOString().slice(11, 23)),
    paint('cyan', functionName),
    printable(subject(entry, families)),
    '→',
    result(entry, paint),
    paint('dim', `${duration} ms`),
    ...(masked ? [paint('dim', '(secrets masked)')] : []),
  ].join(' ')
  const written = logs.flatMap(({ text }) =>
    text.split('\n').map(part => `    ${paint('dim', '│')} ${printableWriting(part)}`),
  )
  return [line, ...written].join('\n')
}

function result({ verdict, failure }: InvocationLogEntry, paint: Paint): string {
  // The verdict on a failure often contains the error message without the error name.
  const quoted = failure && verdict?.text.includes(failure.message.replace(/^\w+: /, ''))
  const text = quoted ? undefined : failure?.message
  const said = [
    verdict?.text.replace(/(?<!:)\n/g, '; ').replaceAll('\n', ' ') ?? 'no verdict',
    ...(text === undefined ? [] : [`(${text})`]),
  ]
  const good = failure === undefined && verdict?.ok !== false
  return paint(good ? 'green' : verdict?.ok ? 'yellow' : 'red', printable(said.join(' ')))
}

/** Describes the event in a few words. See docs/decisions/invocation-lines.md. */
function subject({ event, family }: InvocationLogEntry, families: PlatformFamilies): string {
  return families.all.find(({ name }) => name === family)?.summarize(read(event)) ?? 'an event of no family'
}

function read(event: string): Record<string, unknown> {
  try {
    return (JSON.parse(event) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
