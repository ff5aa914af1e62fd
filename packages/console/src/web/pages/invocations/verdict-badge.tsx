import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { plainText } from '../../text/segments-of.ts'

/** Returns the tone for the result of an invocation: accepted, accepted in part, refused by the contract, or failed. */
export function toneOf({ verdict, failure }: Pick<InvocationSummary, 'verdict' | 'failure'>): Tone {
  if (failure !== undefined) return verdict?.ok === true ? 'warn' : 'bad'
  if (verdict === undefined) return 'plain'
  if (!verdict.ok) return 'bad'
  return verdict.kind === 'partial' ? 'warn' : 'good'
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
export function VerdictBadge({ of }: { readonly of: Pick<InvocationSummary, 'verdict' | 'failure'> }) {
  const { verdict, failure } = of
  const words = verdict?.kind ?? (failure === undefined ? 'no verdict' : failureInWords(failure.kind))
  return <Badge tone={toneOf(of)}>{plainText(words.slice(0, 60))}</Badge>
}

/** Returns the verdict and the failure as one line of text, without the kind of the verdict, which the badge shows. */
export function resultText({ verdict, failure }: Pick<InvocationSummary, 'verdict' | 'failure'>): string {
  const { kind = '', text = '' } = verdict ?? {}
  const why = text.startsWith(`${kind}: `) ? text.slice(kind.length + 2) : text
  // The verdict often already quotes the message of the failure.
  const quoted = failure !== undefined && verdict?.text.includes(failure.message.replace(/^\w+: /, ''))
  return [why, quoted ? undefined : failure?.message].filter(Boolean).join(' – ')
}
