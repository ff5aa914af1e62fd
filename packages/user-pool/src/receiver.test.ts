import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, type Request } from '@signalbox/core'
import fc from 'fast-check'
import { sources } from './contract/index.ts'
import { receiver } from './receiver.ts'
import { mutations, preSignUpEvent, triggerEvents } from './testing/index.ts'
import { userPoolNormalizer, userPoolValidator } from './user-pool.ts'

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

describe('receiver', () => {
  const [both, one] = [[userPoolNormalizer(), userPoolValidator()], [receiver()]]
  const broken = sources.flatMap(mutations)
  const events = fc.oneof(
    triggerEvents() as fc.Arbitrary<unknown>,
    fc.constantFrom(...broken).map(({ event }) => structuredClone(event)),
    fc.jsonValue(),
  )

  it('does what normalizer and validator do one after the other', () => {
    fc.assert(
      fc.property(events, event => {
        expect(outcome(structuredClone(event), one)).toEqual(outcome(structuredClone(event), both))
      }),
      { numRuns: 1000 },
    )
  })

  it('has a name, which middy reports', () => {
    expect(receiver().name).toBe('user-pool-receiver')
    expect(receiver().before?.name).toBe('user-pool-receiver')
    expect(outcome(preSignUpEvent(), one)).toEqual(preSignUpEvent())
  })
})
