import { describe, expect, it } from '@jest/globals'
import { contractValidator, InvalidEventError, type Request, receiver } from '@signalbox/core'
import fc from 'fast-check'
import { isEnvelope, queueFamily, refusedEnvelope } from './family.ts'
import { isNormalized } from './is-normalized.ts'
import { queueNormalizer, queueValidator } from './queue.ts'
import { arbitraryQueueEvent } from './testing/arbitrary.ts'
import { queueEvent, queueEventMutators } from './testing/index.ts'

type Before = (request: Partial<Request>) => void

/** Runs hooks on an event. Returns the event, or the problems that a hook reports. */
function result(event: unknown, hooks: readonly { readonly before?: unknown }[]): unknown {
  try {
    for (const { before } of hooks) (before as Before)({ event, context: {}, internal: {} })
    return event
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEventError)
    return (error as InvalidEventError).problems
  }
}

// Values for the fields of a record, including values of a wrong type.
const scalars = fc.constantFrom<unknown>('text', '', '7', 7, true, null, [], {}, ['a'], { stringValue: 7 })
const attributes = fc.oneof(
  scalars,
  fc.dictionary(fc.constantFrom('SentTimestamp', 'SenderId', 'Unknown'), scalars, { maxKeys: 3 }),
)
const messageAttributes = fc.oneof(
  scalars,
  fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.oneof(scalars, fc.dictionary(fc.constantFrom('stringValue', 'dataType'), scalars, { maxKeys: 2 })),
  ),
)
// Each invalid record differs from a valid one in only one field, so that the effect of that field is visible.
const fine = { messageId: 'a', attributes: { SenderId: 'text' }, messageAttributes: {} }
const oddRecord: fc.Arbitrary<unknown> = fc.oneof(
  scalars.map(messageId => ({ ...fine, messageId })),
  attributes.map(attributes => ({ ...fine, attributes })),
  messageAttributes.map(messageAttributes => ({ ...fine, messageAttributes })),
)
const oddEvent = fc.record({
  Records: fc.array(fc.oneof({ weight: 9, arbitrary: oddRecord }, scalars), { maxLength: 3 }),
})
const broken = fc
  .tuple(arbitraryQueueEvent, fc.constantFrom(...queueEventMutators))
  .map(([event, { mutate }]) => mutate(structuredClone(event)))
const events = fc.oneof(arbitraryQueueEvent as fc.Arbitrary<unknown>, broken, oddEvent, fc.jsonValue())

describe('the receiver of queue()', () => {
  const [both, one] = [
    [queueNormalizer(), queueValidator()],
    [receiver(queueFamily, isNormalized, contractValidator(queueFamily, refusedEnvelope))],
  ]

  it('has the same result as the normalizer followed by the validator', () => {
    fc.assert(
      fc.property(events, event => {
        expect(result(structuredClone(event), one)).toEqual(result(structuredClone(event), both))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('isNormalized()', () => {
  it('is true for a normalized batch', () => {
    expect(isNormalized(queueEvent())).toBe(true)
  })

  it('is true only if every record has an id and the normalizer leaves the batch unchanged', () => {
    fc.assert(
      fc.property(events, event => {
        if (!isNormalized(event)) return
        const before = JSON.stringify(event)
        queueFamily.normalize(event)
        expect(JSON.stringify(event)).toBe(before)
        expect(isEnvelope(event)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
