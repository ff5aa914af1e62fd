import { isObject, type Problem } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import { returnedProblems } from './returned-problems.ts'
import { expectedSource, knownSource } from './source.ts'
import type { TriggerResponse } from './trigger-event.ts'

/** What the platform concludes from what a trigger returned. */
export type TriggerVerdict =
  | { readonly kind: 'accepted'; readonly response: TriggerResponse }
  | { readonly kind: 'denied'; readonly message: string }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** What the platform tells the caller whose request a trigger denied. Extension. */
export function deniedMessage(trigger: string, message: string): string {
  return `${trigger} failed with error ${message}.`
}

/**
 * Reads a trigger's payload as the platform does (contract, user-pool trigger invocations). A failed invocation
 * denies. Otherwise the payload must be the same event with `response` filled as its trigger allows; for triggers
 * of which nothing is expected, whatever is in `response` is ignored, and of senders the whole payload is.
 * No payload at all is that of a function which returned nothing. Never throws, whatever the text.
 */
export function triggerVerdict(payload: string | undefined, event: unknown): TriggerVerdict {
  const read = readPayload(payload ?? '')
  if (read.kind === 'error') return { kind: 'denied', message: read.errorMessage }
  const source = isObject(event) ? event.triggerSource : undefined
  const known = knownSource(source)
  if (known === undefined) {
    return invalid('/triggerSource', expectedSource(source), 'something else, in the event')
  }
  if (read.kind === 'malformed') {
    return known.row.answer === 'not read' ? nothing : invalid('', 'JSON', read.why)
  }
  const wrong = returnedProblems(read.value, event)
  if (wrong.length > 0) return { kind: 'invalid', problems: wrong }
  return known.row.answer === 'read' ? { kind: 'accepted', response: responseIn(read.value) } : nothing
}

const nothing: TriggerVerdict = { kind: 'accepted', response: {} }

function invalid(pointer: string, expected: string, actual: string): TriggerVerdict {
  return { kind: 'invalid', problems: [{ pointer, expected, actual }] }
}

function responseIn(answer: unknown): TriggerResponse {
  return (answer as { response: TriggerResponse }).response
}
