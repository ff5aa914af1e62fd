import fc from 'fast-check'
import {
  commonFields,
  commonFieldsOfSenders,
  type Field,
  type Fields,
  knownSource,
  type Shape,
  type Source,
  sources,
  type Trigger,
  type TriggerResponse,
  triggers,
  type WireEvent,
} from '../contract/index.ts'
import { givenSource, givenTrigger } from './given-source.ts'

/**
 * Generates valid events of any trigger source, or of one source. Optional fields are present, null or absent.
 * @example
 * ```ts
 * import { eventCodec } from '@signalbox/user-pool/contract'
 * import { triggerEvents } from '@signalbox/user-pool/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * const codec = eventCodec('PreSignUp_SignUp')
 * fc.assert(fc.property(triggerEvents('PreSignUp_SignUp'), event => codec.is(event)))
 * ```
 */
export function triggerEvents<S extends Source = Source>(source?: S): fc.Arbitrary<WireEvent<S>> {
  const one =
    source === undefined
      ? fc.constantFrom(...sources)
      : fc.constant(givenSource('triggerEvents()', source).source)
  return one.chain(eventsOf) as fc.Arbitrary<WireEvent<S>>
}

// The arbitraries are kept, because building one takes longer than generating an event.
const made = new Map<Source, fc.Arbitrary<unknown>>()

function eventsOf(source: Source): fc.Arbitrary<unknown> {
  const events = made.get(source) ?? makeEventsOf(source)
  made.set(source, events)
  return events
}

function makeEventsOf(source: Source): fc.Arbitrary<unknown> {
  const { row, request } = knownSource(source)!
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  return fc.record({
    ...known(common),
    triggerSource: fc.constant(source),
    request: objects(request),
    response: fc.constant({}),
  })
}

/**
 * Generates answers to a trigger, with valid fields. Rules that depend on the event may still refuse these answers.
 * @example
 * ```ts
 * import { responseCodec } from '@signalbox/user-pool/contract'
 * import { triggerResponses } from '@signalbox/user-pool/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(triggerResponses('PreSignUp'), response => responseCodec('PreSignUp').is(response)))
 * ```
 */
export function triggerResponses<T extends Trigger>(trigger: T): fc.Arbitrary<TriggerResponse<T>> {
  const { response } = triggers[givenTrigger('triggerResponses()', trigger)]
  const answers = objects(response, fc.constant({}))
  const decided = trigger === 'DefineAuthChallenge' ? answers.map(withOneDecision) : answers
  return decided as fc.Arbitrary<TriggerResponse<T>>
}

function withOneDecision(answer: TriggerResponse<'DefineAuthChallenge'> | object): object {
  const { issueTokens, failAuthentication } = answer as TriggerResponse<'DefineAuthChallenge'>
  if (issueTokens) return { ...answer, failAuthentication: false, challengeName: null }
  return failAuthentication ? { ...answer, challengeName: null } : answer
}

const preexisting = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.string({ minLength: 1 }).map(name => `x-${name}`),
      fc.jsonValue(),
    ),
  },
)

// Generates objects with these fields, and sometimes with unknown fields.
function objects(fields: Fields, others: fc.Arbitrary<object> = preexisting): fc.Arbitrary<object> {
  return fc
    .tuple(fc.record(known(fields)), others)
    .map(([own, foreign]) => ({ ...withoutAbsent(own), ...foreign }))
}

function known(fields: Fields): Record<string, fc.Arbitrary<unknown>> {
  const arbitraries: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field !== undefined) arbitraries[name] = fieldValues(field)
  }
  return arbitraries
}

const absent = Symbol('absent')

function withoutAbsent(own: object): object {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== absent))
}

function fieldValues({ shape, required }: Field): fc.Arbitrary<unknown> {
  const there = values(shape)
  return required ? there : fc.oneof({ weight: 3, arbitrary: there }, fc.constant(null), fc.constant(absent))
}

const claimValues = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }))

function values(shape: Shape<unknown>): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
      return fc.string()
    case 'flag':
      return fc.boolean()
    case 'one-of':
      return fc.constantFrom(...shape.values!)
    case 'list':
      return fc.array(values(shape.items!), { maxLength: 4 })
    case 'text-map':
      return fc.dictionary(fc.string(), fc.string(), { maxKeys: 5 })
    case 'json-map':
      return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })
    case 'claim-map':
      return fc.dictionary(fc.string(), claimValues, { maxKeys: 5 })
    case 'object':
      return objects(shape.fields!)
  }
}
