import type { Problem } from '@signalbox/codec'
import { InvalidResponseError, problemOfAnswer } from '@signalbox/core'
import { changedIdentity, type Identity } from './contract/identity.ts'
import { kindOf } from './contract/kind-of.ts'
import { isPlainObject } from './contract/plain-object.ts'
import { type FieldNames, unknownFields } from './unknown-fields.ts'

/** What a source's answer may look like, and whether anybody reads it. */
export interface Fillable {
  readonly answer: 'read' | 'none expected' | 'not read'
  readonly fields: FieldNames
}

interface Event {
  readonly triggerSource: string
  readonly userPoolId: string
  readonly userName: string
  response?: unknown
}

/** What an event was before its route saw it. */
export interface Sent extends Identity {
  readonly triggerSource: string
}

/** What was in an event's response already that its trigger doesn't have, so that it isn't the route's. */
export type Strangers = readonly Problem[] | undefined

/** The fields of an event's response that its trigger doesn't have, though nobody has answered yet. */
export function strangersIn(response: unknown, known: Fillable | undefined): Strangers {
  if (known === undefined || known.answer === 'not read' || typeof response !== 'object') return undefined
  // Most are empty, and then this is all that is looked at; so it is of null.
  for (const _ in response) return unknownFields(response as object, known.fields)
  return undefined
}

/** @throws InvalidResponseError for a route that made another event of its event */
export function refuseAnother(event: Event, sent: Sent): void {
  const changed = changedIdentity(event, sent)
  if (changed !== undefined) throw new InvalidResponseError(sent.triggerSource, [changed])
}

/**
 * Puts what a route answered into its event, which is what the platform gets back: the same object, with every
 * field that nobody knows and the order of its keys. Nothing answered leaves `response` as it is; so does
 * returning the event itself, whose `response` the route then filled in by hand.
 * @param strangers what the response had before the route saw it, for which nobody blames the route
 * @throws InvalidResponseError for an answer with fields that the trigger doesn't have, or that is no object
 */
export function fillResponse<E extends Event>(
  event: E,
  answer: unknown,
  known: Fillable | undefined,
  strangers: Strangers,
): E {
  if (known?.answer === 'not read') return event
  if (answer === undefined || answer === null || answer === event) {
    // What is no object there is the serializer's affair, which looks at every response.
    const { response } = event
    const byHand = known !== undefined && typeof response === 'object' && response !== null
    return byHand ? fill(event, response, known, strangers) : event
  }
  return fill(event, answer, known, strangers)
}

function fill<E extends Event>(
  event: E,
  answer: unknown,
  known: Fillable | undefined,
  strangers: Strangers,
): E {
  let plain = answer
  let wrong: readonly Problem[] | undefined
  if (known !== undefined && isPlainObject(answer)) {
    wrong = unknownFields(answer, known.fields)
  } else if (known !== undefined && isOrdinaryObject(answer)) {
    plain = { ...answer }
    wrong = inherited(answer, known.fields) ?? unknownFields({ ...answer }, known.fields)
  } else {
    const expected = known?.answer === 'read' ? 'an object' : 'nothing, because no answer is expected here'
    wrong = [{ pointer: '/response', expected, actual: kindOf(answer, 'another kind of object') }]
  }
  if (wrong !== undefined) refuseOwn(event, ownProblem(answer) ?? wrong, strangers)
  if (event.response === plain) return event
  try {
    event.response = plain
    return event
  } catch {
    // A frozen one, such as tests make, cannot be the very object that comes back.
    return { ...event, response: plain }
  }
}

// A function of its own, so that for an answer in order nothing is kept for closures.
function refuseOwn(event: Event, wrong: readonly Problem[], strangers: Strangers = []): void {
  const own = wrong.filter(({ pointer }) => !strangers.some(stranger => stranger.pointer === pointer))
  if (own.length > 0) throw new InvalidResponseError(event.triggerSource, own)
}

/** What a value that Signalbox made says about being returned, such as a builder of claims. */
function ownProblem(answer: unknown): readonly Problem[] | undefined {
  const problem = problemOfAnswer(answer)
  return problem && [{ ...problem, pointer: '/response' }]
}

/** Fields that an object has from its class or prototype: somebody believes in them, and JSON leaves them out. */
function inherited(answer: object, { names }: FieldNames): readonly Problem[] | undefined {
  const name = [...names, 'toJSON'].find(each => each in answer && !Object.hasOwn(answer, each))
  if (name === undefined) return undefined
  return [
    { pointer: `/response/${name}`, expected: "a field of the answer's own", actual: 'an inherited one' },
  ]
}

/** Plain objects, and the instances of people's own classes. */
function isOrdinaryObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}
