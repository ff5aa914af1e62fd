import { describe, expect, it } from '@jest/globals'
import { type Problem, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { triggerEvents } from '../testing/arbitrary.ts'
import { fieldCases } from '../testing/field-cases.ts'
import { mutations, triggerEvent } from '../testing/index.ts'
import { eventCodec, triggerEventCodec } from './event-codec.ts'
import type { Fields } from './fields/field.ts'
import type { Source } from './trigger-event.ts'
import { commonFields, commonFieldsOfSenders } from './triggers/common-fields.ts'
import { knownSource, sources } from './triggers/source.ts'

type Holder = Record<string, unknown>

/** Returns a valid event with one field changed, or with the field removed if no value is given. */
function changed(source: Source, path: string, value?: unknown): unknown {
  const event = triggerEvent(source) as unknown as Holder
  const keys = path.split('.')
  let holder = event
  for (const key of keys.slice(0, -1)) {
    holder[key] ??= {}
    holder = holder[key] as Holder
  }
  if (value === undefined) delete holder[keys.at(-1)!]
  else holder[keys.at(-1)!] = value
  return event
}

const pointers = (found: readonly Problem[]) => [...new Set(found.map(({ pointer }) => pointer))]
const accepts = (event: unknown) => expect(problems(triggerEventCodec, event)).toEqual([])
const refuses = (event: unknown, path: string) =>
  expect(pointers(problems(triggerEventCodec, event))).toEqual([`/${path.replaceAll('.', '/')}`])

/** Returns a case for each field of a table in the events of a source, with a title. */
const casesOf = (source: Source, fields: Fields, above: readonly string[] = []) =>
  fieldCases(fields, above).map(each => ({
    ...{ source, ...each, path: each.path.join('.') },
    title: `${each.required ? 'requires' : 'allows'} the field ${each.path.join('.')} in ${source}`,
  }))

function keepsRow({ source, path, required, good, bad, within }: ReturnType<typeof casesOf>[number]): void {
  accepts(changed(source, path, good))
  refuses(changed(source, path, bad), [path, ...within].join('.'))
  for (const nothing of [undefined, null]) {
    if (required) refuses(changed(source, path, nothing), path)
    else accepts(changed(source, path, nothing))
  }
}

describe('the event codec for common fields', () => {
  const common = [
    ...casesOf('PreSignUp_SignUp', commonFields),
    ...casesOf('CustomEmailSender_SignUp', commonFieldsOfSenders),
    ...casesOf('CustomSMSSender_SignUp', commonFieldsOfSenders),
  ]
  // No other text is a valid source.
  it.each(common.filter(({ path }) => path !== 'triggerSource'))('$title', keepsRow)

  it.each(['callerContext', 'request', 'triggerSource'])('requires the field %s', path => {
    refuses(changed('PreSignUp_SignUp', path, 7), path)
    refuses(changed('PreSignUp_SignUp', path), path)
    refuses(changed('PreSignUp_SignUp', path, null), path)
  })
})

describe('the event codec for trigger requests', () => {
  it.each(sources.flatMap(source => casesOf(source, knownSource(source)!.request, ['request'])))(
    '$title',
    keepsRow,
  )

  it('requires challengeName and challengeResult in each item of a session', () => {
    const item = { challengeName: 'SRP_A', challengeResult: true }
    const session = (value: unknown) =>
      changed('DefineAuthChallenge_Authentication', 'request.session', [value])
    accepts(session(item))
    accepts(session({ ...item, challengeMetadata: 'CAPTCHA' }))
    accepts(session({ ...item, challengeMetadata: null }))
    refuses(session({ challengeResult: true }), 'request.session.0.challengeName')
    refuses(session({ ...item, challengeResult: 'true' }), 'request.session.0.challengeResult')
    refuses(session({ ...item, challengeMetadata: 1 }), 'request.session.0.challengeMetadata')
  })

  it('requires `answer` in privateChallengeParameters to be a string', () => {
    const path = 'request.privateChallengeParameters.answer'
    refuses(changed('VerifyAuthChallengeResponse_Authentication', path, 1), path)
  })

  it('requires the type `customEmailSenderRequestV1` for a custom e-mail sender', () => {
    refuses(changed('CustomEmailSender_SignUp', 'request.type', 'customEmailSenderRequestV2'), 'request.type')
  })

  it('requires the values in userAttributes to be strings', () => {
    const attributes = { sub: 's', 'pool:user_status': 'CONFIRMED', 'custom:tenant': 't1' }
    accepts(changed('PreSignUp_SignUp', 'request.userAttributes', attributes))
    refuses(changed('PreSignUp_SignUp', 'request.userAttributes.sub', true), 'request.userAttributes.sub')
  })
})

describe('the event codec beyond the contract', () => {
  it('allows the request type of either custom sender for a custom SMS sender', () => {
    accepts(changed('CustomSMSSender_SignUp', 'request.type', 'customSMSSenderRequestV1'))
    accepts(changed('CustomSMSSender_SignUp', 'request.type', 'customEmailSenderRequestV1'))
    refuses(changed('CustomSMSSender_SignUp', 'request.type', 'customSMSSenderRequestV2'), 'request.type')
  })

  it('allows UserMigration_ForgotPassword without a password', () => {
    const event = triggerEvent('UserMigration_ForgotPassword')
    expect(event.request).not.toHaveProperty('password')
    accepts(event)
  })

  it('allows the versions "2" and "3" for a token-generation event', () => {
    for (const version of ['2', '3']) accepts(triggerEvent('TokenGeneration_HostedAuth', {}, { version }))
  })

  it('allows unknown fields', () => {
    accepts(changed('PreSignUp_SignUp', 'request.whatever', 1))
    accepts(changed('PreSignUp_SignUp', 'whatever', { at: 'all' }))
  })
})

describe('triggerEventCodec', () => {
  it('names the nearest trigger source when the source of the event is unknown', () => {
    const [problem] = problems(
      triggerEventCodec,
      changed('PreSignUp_SignUp', 'triggerSource', 'PreSignup_Signup'),
    )
    expect(problem).toMatchObject({
      pointer: '/triggerSource',
      expected: 'a trigger source; the nearest is PreSignUp_SignUp',
    })
  })

  it.each([undefined, null, 7, 'text', []])(
    'refuses the value %p and reports problems at a single JSON pointer',
    value => {
      expect(pointers(problems(triggerEventCodec, value))).toHaveLength(1)
      expect(triggerEventCodec.is(value)).toBe(false)
    },
  )

  it('checks an event with the codec that eventCodec() returns for its source', () => {
    const event = triggerEvent('PreSignUp_SignUp')
    expect(eventCodec('PreSignUp_SignUp').is(event)).toBe(true)
    expect(eventCodec('UserMigration_Authentication').is(event)).toBe(false)
    expect(triggerEventCodec.encode(event)).toBe(event)
  })

  it('accepts every valid event without reporting a problem', () => {
    fc.assert(
      fc.property(triggerEvents(), event => {
        expect(triggerEventCodec.is(event)).toBe(true)
        expect(problems(triggerEventCodec, event)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it.each(sources)('accepts an event of %s with all fields or without one of its optional fields', source => {
    accepts(triggerEvent(source))
    for (const [name, field] of Object.entries(knownSource(source)!.request)) {
      if (field?.required !== false) continue
      accepts(changed(source, `request.${name}`))
      accepts(changed(source, `request.${name}`, null))
    }
  })

  it.each(sources)('reports the right pointer when an event of %s breaks a rule', source => {
    const broken = mutations(source)
    expect(broken.length).toBeGreaterThan(15)
    for (const { rule, pointer, event } of broken) {
      expect({ rule, pointers: pointers(problems(triggerEventCodec, event)) }).toEqual({
        rule,
        pointers: [pointer],
      })
      expect(triggerEventCodec.is(event)).toBe(false)
    }
  })
})

describe('triggerEventCodec with a value that is not an event', () => {
  it.each([null, undefined, 5, 'text', true])('reports a single problem with the whole value %p', value => {
    expect(problems(triggerEventCodec, value)).toEqual([
      { pointer: '', expected: expect.stringContaining('user-pool event'), actual: expect.any(String) },
    ])
  })
})
