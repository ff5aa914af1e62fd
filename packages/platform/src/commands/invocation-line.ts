import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { Paint } from '@signalbox/platform-runtime/command-line'
import { printable, printableWriting, seePageOfFailure } from '@signalbox/platform-runtime/command-line'
import { loggedErrors, type Severity, severityOf } from '@signalbox/platform-runtime/invocation-log'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'

/** An entry, and what only the running platform knows about it. */
interface PrintedEntry extends InvocationLogEntry {
  readonly coldStart?: boolean
}

const colors = { ok: 'green', warning: 'yellow', error: 'red' } as const satisfies {
  readonly [S in Exclude<Severity, 'neutral'>]: Parameters<Paint>[0]
}

/**
 * Formats an invocation as one line, followed by where its error is explained, and by the output of the function.
 * @param unmasks the option that prints output without masks. Undefined if there is none, or it is already given.
 */
export function invocationLine(
  entry: PrintedEntry,
  families: PlatformFamilies,
  paint: Paint,
  unmasks?: string,
): string {
  const { id, started, functionName, duration, logs, masked, coldStart } = entry
  const errors = loggedErrors(entry)
  const hint = unmasks !== undefined && logs.some(({ text }) => text.includes('***'))
  const line = [
    paint('dim', `#${id}`),
    paint('dim', new Date(started).toISOString().slice(11, 23)),
    paint('cyan', functionName),
    printable(subject(entry, families)),
    '→',
    result(entry, paint),
    ...(errors === 0 ? [] : [paint('red', `(${errors} ${errors === 1 ? 'error' : 'errors'} logged)`)]),
    paint('dim', `${duration} ms`),
    ...(coldStart ? [paint('cyan', 'cold start')] : []),
    ...(masked
      ? [paint('dim', hint ? `(secrets masked; ${unmasks} shows those below)` : '(secrets masked)')]
      : []),
  ].join(' ')
  const written = logs.flatMap(({ text }) =>
    text.split('\n').map(part => `    ${paint('dim', '│')} ${printableWriting(part, paint)}`),
  )
  const page = seePageOfFailure(entry.failure?.message ?? '')
  return [line, ...(page === '' ? [] : [`    ${paint('dim', page)}`]), ...written].join('\n')
}

/** Describes the verdict and the failure. */
export function result(entry: InvocationLogEntry, paint: Paint): string {
  const { verdict, failure } = entry
  // The verdict on a failure often contains the error message without the error name.
  const quoted = failure && verdict?.text.includes(failure.message.replace(/^\w+: /, ''))
  const message = quoted ? undefined : failure?.message
  const said = [
    verdict?.text.replace(/(?<!:)\n/g, '; ').replaceAll('\n', ' ') ?? 'no verdict',
    ...(message === undefined ? [] : [`(${message})`]),
  ]
  const severity = severityOf(entry)
  const text = printable(said.join(' '))
  return severity === 'neutral' ? text : paint(colors[severity], text)
}

/** Describes the event in a few words. See docs/decisions/invocation-log.md#invocation-lines. */
export function subject({ event, family }: InvocationLogEntry, families: PlatformFamilies): string {
  return families.all.find(({ name }) => name === family)?.summarize(read(event)) ?? 'an event of no family'
}

function read(event: string): Record<string, unknown> {
  try {
    return (JSON.parse(event) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
