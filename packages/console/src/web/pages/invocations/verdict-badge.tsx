import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { plainText } from '../../text/segments-of.ts'

/** The tone for how much the result of an invocation hurts. The server decides that. */
export const tones = { ok: 'good', neutral: 'plain', warning: 'warn', error: 'bad' } as const satisfies {
  readonly [S in InvocationSummary['severity']]: Tone
}

const failures: Readonly<Record<string, string>> = {
  threw: 'threw an error',
  unloadable: 'could not be loaded',
  timeout: 'timed out',
  crash: 'crashed',
  unavailable: 'was not available',
}

/** Describes the failure of a function in a few words. */
export function failureInWords(kind: string): string {
  return Object.hasOwn(failures, kind) ? (failures[kind] ?? kind) : kind
}

/** A badge that shows the kind of a verdict or of a failure. */
export function VerdictBadge({
  of,
}: {
  readonly of: Pick<InvocationSummary, 'verdict' | 'failure' | 'severity'>
}) {
  const { verdict, failure, severity } = of
  const words = verdict?.kind ?? (failure === undefined ? 'no verdict' : failureInWords(failure.kind))
  return <Badge tone={tones[severity]}>{plainText(words.slice(0, 60))}</Badge>
}

/** Returns the verdict and the failure as one line of text, without the kind of the verdict, which the badge shows. */
export function resultText({ verdict, failure }: Pick<InvocationSummary, 'verdict' | 'failure'>): string {
  const { kind = '', text = '' } = verdict ?? {}
  const why = text.startsWith(`${kind}: `) ? text.slice(kind.length + 2) : text
  // The verdict often already quotes the message of the failure.
  const quoted = failure !== undefined && verdict?.text.includes(failure.message.replace(/^\w+: /, ''))
  return [why, quoted ? undefined : failure?.message].filter(Boolean).join(' – ')
}

/** Says how many errors a function logged. */
export function loggedInWords(errors: number): string {
  return `${errors.toLocaleString('en')} ${errors === 1 ? 'error' : 'errors'} logged`
}
