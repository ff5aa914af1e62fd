import { kindOf, type Problem } from '@signalbox/codec'
import { isPlainObject } from '@signalbox/codec/ready'
import { InvalidResponseError, problemOfAnswer } from '@signalbox/core'
import type { ReadyRow } from '../contract/triggers/ready-source.ts'
import { changedIdentity, type Identity } from '../contract/verdict/identity.ts'
import { answeredEvents } from './answered-events.ts'
import { fieldNames, isOrdinaryObject, lostInJson, unknownFields } from './unknown-fields.ts'

interface Event {
  readonly triggerSource: string
  readonly userPoolId: string
  readonly userName: string
  response?: unknown
}

/** The identifying fields of an event before its route ran. */
export interface Sent extends Identity {
  readonly triggerSource: string
}

/** Unknown fields that the response had before the route ran. */
export type Preexisting = readonly Problem[] | undefined

/** Returns the unknown fields that an event's response has before its route runs. */
export function preexistingFields(response: unknown, row: ReadyRow | undefined): Preexisting {
  if (row === undefined || row.answer === 'not read' || typeof response !== 'object') return undefined
  // Most responses are empty, so the body of this loop rarely runs.
  for (const _ in response) return unknownFields(response as object, fieldNames(row.response))
  return undefined
}

/** Throws an InvalidResponseError if the route has changed an identifying field of its event. */
function refuseChangedIdentity(event: Event, sent: Sent): void {
  const changed = changedIdentity(event, sent)
  if (changed !== undefined) throw new InvalidResponseError(sent.triggerSource, [changed])
}

/**
 * Writes the answer of a route into its event. The event is returned to the platform with its unknown fields
 * and in the same order of keys. The `response` stays as it is when there is no answer, or when the route
 * itself fills `response` and returns the event. Of a copy of the event, only the `response` counts.
 * @param sent the identifying fields of the event before its route ran
 * @param preexisting the unknown fields that the response already had before the route ran
 * @throws InvalidResponseError for an answer that is not an object or has fields that the trigger does not have, and
 * for a missing answer when the route built claims for the event, and for an event whose identity the route changed
 */
export function fillResponse<E extends Event>(
  event: E,
  answer: unknown,
  sent: Sent,
  row: ReadyRow | undefined,
  preexisting: Preexisting,
): E {
  refuseChangedIdentity(event, sent)
  if (row?.answer === 'not read') return event
  if (row?.isExact(answer)) return withResponse(event, answer)
  const copy = answer as Event | null | undefined
  // No answer has a field of this name, so a route has returned a copy of its event.
  if (copy?.triggerSource !== undefined && copy !== event) {
    refuseChangedIdentity(copy, event)
    return fill(event, copy.response, row, preexisting)
  }
  if (answer === undefined || answer === null || answer === event) {
    // The serializer checks whether the response is an object.
    const { response } = event
    if (row !== undefined && answeredEvents.has(event) && isEmpty(response)) throw forgottenReturn(event)
    const byHand = row !== undefined && typeof response === 'object' && response !== null
    return byHand ? fill(event, response, row, preexisting) : event
  }
  return fill(event, answer, row, preexisting)
}

function isEmpty(response: unknown): boolean {
  for (const _ in response as object) return false
  return true
}

function forgottenReturn({ triggerSource }: Event): InvalidResponseError {
  const expected = 'the claims that the route built with for(event): return them'
  return new InvalidResponseError(triggerSource, [{ pointer: '/response', expected, actual: 'nothing' }])
}

function fill<E extends Event>(
  event: E,
  answer: unknown,
  row: ReadyRow | undefined,
  preexisting: Preexisting,
): E {
  let plain = answer
  let wrong: readonly Problem[] | undefined
  const fields = row && fieldNames(row.response)
  if (fields !== undefined && isPlainObject(answer)) {
    wrong = unknownFields(answer, fields)
  } else if (fields !== undefined && isOrdinaryObject(answer)) {
    plain = { ...answer }
    const lost = lostInJson(answer, fields)
    wrong = lost ? [lost] : unknownFields(plain as object, fields)
  } else {
    const expected = row?.answer === 'read' ? 'an object' : 'nothing, because no answer is expected here'
    wrong = [{ pointer: '/response', expected, actual: kindOf(answer, 'another kind of object') }]
  }
  if (wrong !== undefined) refuseOwn(event, ownProblem(answer) ?? wrong, preexisting)
  return withResponse(event, plain)
}

/** Returns the event with this response. */
function withResponse<E extends Event>(event: E, response: unknown): E {
  if (event.response === response) return event
  try {
    event.response = response
    return event
  } catch {
    // A frozen event, which tests may pass, cannot be filled.
    return { ...event, response }
  }
}

/** Throws an InvalidResponseError for problems that the response did not have before the route ran. */
function refuseOwn(event: Event, wrong: readonly Problem[], preexisting: Preexisting = []): void {
  const own = wrong.filter(({ pointer }) => !preexisting.some(field => field.pointer === pointer))
  if (own.length > 0) throw new InvalidResponseError(event.triggerSource, own)
}

/** Returns a problem if the answer is an object that Signalbox made for another purpose, such as a claims builder. */
function ownProblem(answer: unknown): readonly Problem[] | undefined {
  const problem = problemOfAnswer(answer)
  return problem && [{ ...problem, pointer: '/response' }]
}
