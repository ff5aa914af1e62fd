import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, type Request, receiver } from '@signalbox/core'
import fc from 'fast-check'
import { QueueEnvelope } from './contract/event.ts'
import { isEnvelope, queueFamily } from './family.ts'
import { isNormalized } from './is-normalized.ts'
import { queueNormalizer, queueValidator } from './queue.ts'
import { arbitraryQueueEvent, queueEvent, queueEventMutators } from './testing/index.ts'

type Before = (request: Partial<Request>) => void

/** What hooks make of an event: the event afterwards, or the problems that they see. */
function outcome(event: unknown, hooks: readonly { readonly before?: unknown }[]): unknown {
  try {
    for (const { before } of hooks) (before as Before)({ event, context: {}, internal: {} })
    return event
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEventError)
    return (error as InvalidEventError).problems
  }
}

// Whatever may stand in a record, the worst of JSON included.
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
// One thing at a time, so that it shows.
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

describe('the receiver of a queue', () => {
  const [both, one] = [
    [queueNormalizer(), queueValidator()],
    [receiver(queueFamily, isNormalized, QueueEnvelope)],
  ]

  it('does what normalizer and validator do one after the other', () => {
    fc.assert(
      fc.property(events, event => {
        expect(outcome(structuredClone(event), one)).toEqual(outcome(structuredClone(event), both))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('isSettled', () => {
  it('says of a whole batch that it is in order', () => {
    expect(isNormalized(queueEvent())).toBe(true)
  })

  it('says so only of batches that can be answered for and that the normalizer leaves alone', () => {
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
