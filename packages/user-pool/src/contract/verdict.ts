import type { Problem } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import { responseProblems } from './response-problems.ts'
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
 * Never throws, whatever the text.
 */
export function triggerVerdict(payload: string, event: unknown): TriggerVerdict {
  const read = readPayload(payload)
  if (read.kind === 'error') return { kind: 'denied', message: read.errorMessage }
  const source = isObject(event) ? event.triggerSource : undefined
  const known = knownSource(source)
  if (known === undefined) {
    return invalid('/triggerSource', expectedSource(source), 'something else, in the event')
  }
  if (known.row.answer === 'not read') return nothing
  if (read.kind === 'malformed') return invalid('', 'JSON', read.why)
  const answer = read.value
  if (!isObject(answer)) return invalid('', 'the event with its response', nameOf(answer))
  const changed = identity.find(field => isObject(event) && answer[field] !== event[field])
  if (changed !== undefined) return invalid(`/${changed}`, "the event's own value", 'something else')
  if (!isObject(answer.response)) return invalid('/response', 'an object', nameOf(answer.response))
  if (known.row.answer === 'none expected') return nothing
  const wrong = responseProblems(known.trigger, answer.response, event)
  return wrong.length === 0
    ? { kind: 'accepted', response: answer.response as never }
    : { kind: 'invalid', problems: wrong }
}

/** What shows that an answer is the same event (contract A.1). */
const identity = ['triggerSource', 'userPoolId', 'userName'] as const

const nothing: TriggerVerdict = { kind: 'accepted', response: {} }

function invalid(pointer: string, expected: string, actual: string): TriggerVerdict {
  return { kind: 'invalid', problems: [{ pointer, expected, actual }] }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
