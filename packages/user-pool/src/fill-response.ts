import type { Problem } from '@signalbox/codec'
import { InvalidResponseError } from '@signalbox/core'
import { type FieldNames, unknownFields } from './unknown-fields.ts'

/** What a source's answer may look like, and whether anybody reads it. */
export interface Fillable {
  readonly answer: 'read' | 'none expected' | 'not read'
  readonly fields: FieldNames
}

interface Event {
  readonly triggerSource: string
  response?: unknown
}

/**
 * Puts what a route answered into its event, which is what the platform gets back: the same object, with every
 * field that nobody knows and the order of its keys. Nothing answered leaves `response` as it is; so does
 * returning the event itself, whose `response` the route then filled in by hand.
 *
 * @throws InvalidResponseError for an answer with fields that the trigger doesn't have, or that is no object
 */
export function fillResponse<E extends Event>(event: E, answer: unknown, known: Fillable | undefined): E {
  if (answer === undefined || answer === null || answer === event) return event
  if (known?.answer === 'not read') return event
  const wrong = wrongIn(answer, known)
  if (wrong !== undefined) throw new InvalidResponseError(event.triggerSource, wrong)
  event.response = answer
  return event
}

function wrongIn(answer: unknown, known: Fillable | undefined): readonly Problem[] | undefined {
  const read = known?.answer === 'read'
  if (known !== undefined && isPlainObject(answer)) return unknownFields(answer, known.fields)
  const expected = read ? 'an object' : 'nothing, because no answer is expected here'
  return [{ pointer: '/response', expected, actual: nameOf(answer) }]
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.prototype.toString.call(value) === '[object Object]'
  )
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'another kind of object' : `a ${typeof value}`
}
