import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, normalizer, type Request, receiver, validator } from '@signalbox/core'
import fc from 'fast-check'
import { sources, triggerEventCodec } from '../contract/index.ts'
import { userPoolFamily } from '../family.ts'
import { triggerEvents } from '../testing/arbitrary.ts'
import { mutations, triggerEvent } from '../testing/index.ts'
import { isNormalized } from './is-normalized.ts'
import { normalizeTrigger } from './normalize.ts'

describe('isNormalized', () => {
  it.each(sources)('accepts a complete event of %s', source => {
    expect(isNormalized(triggerEvent(source))).toBe(true)
  })

  it.each(sources)('refuses every broken event of %s', source => {
    for (const { rule, event } of mutations(source))
      expect({ rule, is: isNormalized(event) }).toEqual({ rule, is: false })
  })

  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { triggerSource: 'PreSignup' },
    { triggerSource: '__proto__' },
  ])('refuses %p', value => {
    expect(isNormalized(value)).toBe(false)
  })

  it('accepts exactly the valid events that the normalizer leaves unchanged', () => {
    fc.assert(
      fc.property(triggerEvents(), event => {
        const before = JSON.stringify(event)
        const normalized = isNormalized(event)
        normalizeTrigger(event)
        expect(normalized).toBe(JSON.stringify(event) === before)
        expect(isNormalized(event)).toBe(true)
        expect(triggerEventCodec.is(event)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

/** The event after some hooks, or the problems that they report. */
function result(event: unknown, hooks: readonly { readonly before?: unknown }[]): unknown {
  try {
    for (const { before } of hooks)
      (before as (request: Partial<Request>) => void)({ event, context: {}, internal: {} })
    return event
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEventError)
    return (error as InvalidEventError).problems
  }
}

it('the receiver does the same as the normalizer followed by the validator', () => {
  const both = [normalizer(userPoolFamily), validator(userPoolFamily)]
  const one = [receiver(userPoolFamily, isNormalized, validator(userPoolFamily))]
  const broken = sources.flatMap(mutations)
  const events = fc.oneof(
    triggerEvents() as fc.Arbitrary<unknown>,
    fc.constantFrom(...broken).map(({ event }) => structuredClone(event)),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(events, event => {
      expect(result(structuredClone(event), one)).toEqual(result(structuredClone(event), both))
    }),
    { numRuns: 1000 },
  )
})
