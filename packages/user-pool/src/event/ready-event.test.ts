import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import {
  contractValidator,
  InvalidEventError,
  normalizer,
  type Request,
  receiver,
  validator,
} from '@signalbox/core'
import fc from 'fast-check'
import { sources, triggerEventCodec } from '../contract/index.ts'
import { isNormalizedEvent as isNormalized, readyEvent, refusedEvent } from '../contract/ready-event.ts'
import { userPoolFamily } from '../family.ts'
import { triggerEvents } from '../testing/arbitrary.ts'
import { mutations, triggerEvent } from '../testing/index.ts'
import { normalizeTrigger } from './normalize.ts'

describe('isNormalized', () => {
  it.each(sources)('accepts a complete event of %s', source => {
    expect(isNormalized(triggerEvent(source, {}, { response: {} }))).toBe(true)
  })

  it('refuses the event of a sender without a response, which the normalizer adds', () => {
    const event = triggerEvent('CustomEmailSender_SignUp')
    expect(isNormalized(event)).toBe(false)
    normalizeTrigger(event)
    expect(isNormalized(event)).toBe(true)
  })

  it.each(sources)('refuses every invalid event of %s', source => {
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

/** Runs hooks on an event. Returns the event, the problems that a hook reports, or the name of another error. */
async function result(event: unknown, hooks: readonly { readonly before?: unknown }[]): Promise<unknown> {
  try {
    for (const { before } of hooks)
      await (before as (request: Partial<Request>) => unknown)({ event, context: {}, internal: {} })
    return event
  } catch (error) {
    return error instanceof InvalidEventError ? error.problems : (error as Error).name
  }
}

/**
 * Describes the fault of an event that breaks a rule, such as `version is missing` for the rule `version is required`.
 */
function faultOf(rule: string): string {
  const faults: readonly (readonly [rule: RegExp, fault: string])[] = [
    [/ is required$/, ' is missing'],
    [/ is not null$/, ' is null'],
    [/ is one of the known values$/, ' is unknown'],
    [/ holds .*$/, ' has an invalid value inside'],
    [/ is (.*)$/, ' is not a valid $1'],
  ]
  const [pattern, fault] = faults.find(([each]) => each.test(rule))!
  return rule.replace(' : ', '[0].').replace(pattern, fault)
}

describe('readyEvent', () => {
  const unreadable = {
    get triggerSource() {
      throw new Error('no')
    },
  }
  it.each([
    ...sources.flatMap(source => [
      [`accepts a valid event of ${source}`, triggerEvent(source)] as const,
      ...mutations(source).map(
        ({ rule, event }) => [`refuses ${source} when ${faultOf(rule)}`, event] as const,
      ),
    ]),
    ['refuses undefined', undefined],
    ['refuses null', null],
    ['refuses a number', 7],
    ['refuses a string', 'text'],
    ['refuses a list', []],
    ['refuses an object without fields', {}],
    ['refuses an event whose triggerSource is undefined', { triggerSource: undefined }],
    ['refuses an event of an unknown source', { triggerSource: 'PreSignup' }],
    ['reports an event whose triggerSource getter throws', unreadable],
  ])('%s', (_, event) => {
    const expected = problems(triggerEventCodec, event)
    expect(refusedEvent(event) ?? []).toEqual(expected)
    if (event === unreadable) return
    expect(readyEvent().is(event)).toBe(expected.length === 0)
    expect(problems(readyEvent(), event)).toEqual(expected)
  })
})

it('the user-pool receiver gives the same result as normalizer and validator', async () => {
  const both = [normalizer(userPoolFamily), validator(userPoolFamily, triggerEventCodec)]
  const one = [receiver(userPoolFamily, contractValidator(userPoolFamily, refusedEvent), isNormalized)]
  const broken = sources.flatMap(mutations)
  const events = fc.oneof(
    triggerEvents() as fc.Arbitrary<unknown>,
    fc.constantFrom(...broken).map(({ event }) => structuredClone(event)),
    fc.jsonValue(),
  )
  await fc.assert(
    fc.asyncProperty(events, async event => {
      fc.pre(userPoolFamily.recognizes(event))
      expect(await result(structuredClone(event), one)).toEqual(await result(structuredClone(event), both))
    }),
    { numRuns: 1000 },
  )
})
