import { isObject, type Problem } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import type { TriggerResponse } from '../trigger-event.ts'
import { sourceOrNew } from '../triggers/ready-source.ts'
import { expectedSource } from '../triggers/source.ts'
import { returnedProblems } from './returned-problems.ts'

/** The platform's verdict about the payload of a trigger. */
export type TriggerVerdict =
  | { readonly kind: 'accepted'; readonly response: TriggerResponse }
  | { readonly kind: 'denied'; readonly message: string }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/**
 * Returns the message for the caller when a trigger denies the request. The contract does not define this message.
 * @example
 * ```ts
 * import { deniedMessage } from '@signalbox/user-pool/contract'
 *
 * deniedMessage('PreSignUp', 'no guests') // 'PreSignUp failed with error no guests.'
 * ```
 */
export function deniedMessage(trigger: string, message: string): string {
  return `${trigger} failed with error ${message}.`
}

/**
 * Returns the platform's verdict about the payload of a trigger (docs/contract/user-pool.md#verdict). A failed
 * invocation denies the request. Otherwise the payload must be the same event with `response` filled as its trigger
 * allows. For triggers without an expected answer, `response` is ignored; for senders, the whole payload is ignored. An
 * empty payload means that the function returned undefined. Never throws.
 * @example
 * ```ts
 * import { triggerVerdict } from '@signalbox/user-pool/contract'
 * import { preSignUpEvent } from '@signalbox/user-pool/testing'
 *
 * const event = preSignUpEvent()
 * const answer = { ...event, response: { autoConfirmUser: true } }
 * triggerVerdict(JSON.stringify(answer), event).kind // 'accepted'
 * triggerVerdict('{"errorMessage":"no guests"}', event) // { kind: 'denied', message: 'no guests' }
 * ```
 */
export function triggerVerdict(payload: string | undefined, event: unknown): TriggerVerdict {
  const read = readPayload(payload ?? '')
  if (read.kind === 'error') return { kind: 'denied', message: read.errorMessage }
  const source = isObject(event) ? event.triggerSource : undefined
  const known = sourceOrNew(source)
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
