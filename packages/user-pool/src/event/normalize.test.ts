import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import type { Drift } from '@signalbox/core'
import fc from 'fast-check'
import { sources, triggerEventCodec } from '../contract/index.ts'
import { userPoolFamily } from '../family.ts'
import { triggerEvents } from '../testing/arbitrary.ts'
import { triggerEvent } from '../testing/index.ts'
import { normalizeTrigger } from './normalize.ts'

function normalized(event: unknown): { readonly event: unknown; readonly drift: readonly Drift[] } {
  const drift: Drift[] = []
  normalizeTrigger(event, drift)
  return { event, drift }
}

describe('drift that is absorbed', () => {
  it('Boolean and number attribute values become strings', () => {
    const event = triggerEvent('CustomMessage_SignUp', {
      userAttributes: { email_verified: true, 'custom:age/y': 36, name: 'Ada' } as never,
      clientMetadata: { beta: false } as never,
    })
    const { drift } = normalized(event)
    expect(event.request).toMatchObject({
      userAttributes: { email_verified: 'true', 'custom:age/y': '36', name: 'Ada' },
      clientMetadata: { beta: 'false' },
    })
    expect(drift).toEqual([
      { pointer: '/request/userAttributes/email_verified', was: 'a boolean', became: 'a string' },
      { pointer: '/request/userAttributes/custom:age~1y', was: 'a number', became: 'a string' },
      { pointer: '/request/clientMetadata/beta', was: 'a boolean', became: 'a string' },
    ])
  })

  it('an attribute value of null is removed', () => {
    const event = triggerEvent('CustomEmailSender_AccountTakeOverNotification', {
      userAttributes: { IP_ADDRESS: '192.0.2.1', CITY: null, COUNTRY: null } as never,
      clientMetadata: { 'a/b': null } as never,
    })
    expect(normalized(event).drift).toEqual([
      { pointer: '/request/clientMetadata/a~1b', was: 'null', became: 'absent' },
      { pointer: '/request/userAttributes/CITY', was: 'null', became: 'absent' },
      { pointer: '/request/userAttributes/COUNTRY', was: 'null', became: 'absent' },
    ])
    expect(event.request.userAttributes).toEqual({ IP_ADDRESS: '192.0.2.1' })
    expect(event.request.clientMetadata).toEqual({})
    expect(triggerEventCodec.is(event)).toBe(true)
  })

  it('a null or missing map that the contract requires becomes {}', () => {
    const event = triggerEvent('PreSignUp_SignUp', {
      userAttributes: null,
      validationData: undefined,
    } as never)
    expect(normalized(event).drift).toEqual([
      { pointer: '/request/userAttributes', was: 'null', became: '{}' },
      { pointer: '/request/validationData', was: 'nothing', became: '{}' },
    ])
    expect(event.request).toMatchObject({ userAttributes: {}, validationData: {} })
  })

  it('an optional map that is absent becomes {}, which is not drift', () => {
    const event = triggerEvent('PreSignUp_SignUp', { clientMetadata: null } as never)
    expect(normalized(event).drift).toEqual([])
    expect(event.request.clientMetadata).toEqual({})
  })

  it.each([
    ['the value of cloudSdk', { clientId: 'c', cloudSdk: 'sdk-7' }, 'sdk-7', 'the value of cloudSdk'],
    ['unknown without it', { clientId: 'c' }, 'unknown', '"unknown"'],
    ['unknown where it is not a string', { clientId: 'c', cloudSdk: 7 }, 'unknown', '"unknown"'],
  ])('a callerContext without cloudSdkVersion gets %s', (_, callerContext, version, became) => {
    const event = triggerEvent('PreSignUp_SignUp', {}, { callerContext } as never)
    expect(normalized(event).drift).toEqual([
      { pointer: '/callerContext/cloudSdkVersion', was: 'nothing', became },
    ])
    expect(event.callerContext.cloudSdkVersion).toBe(version)
  })

  it.each([
    ['null, when an administrator confirms a user', { clientId: null }, 'null'],
    ['missing', {}, 'nothing'],
  ])('a clientId that is %s becomes "unknown"', (_, client, was) => {
    const event = triggerEvent(
      'PostConfirmation_ConfirmSignUp',
      {},
      {
        callerContext: { cloudSdkVersion: 'sdk-7', ...client } as never,
      },
    )
    expect(normalized(event).drift).toEqual([
      { pointer: '/callerContext/clientId', was, became: '"unknown"' },
    ])
    expect(event.callerContext).toEqual({ cloudSdkVersion: 'sdk-7', clientId: 'unknown' })
    expect(triggerEventCodec.is(event)).toBe(true)
  })

  it('a missing response becomes {}, which is drift except for senders', () => {
    const strange = triggerEvent('PreSignUp_SignUp', {}, { response: undefined } as never)
    expect(normalized(strange).drift).toEqual([{ pointer: '/response', was: 'nothing', became: '{}' }])
    expect(strange.response).toEqual({})
    const usual = triggerEvent('CustomSMSSender_SignUp', {}, { response: undefined } as never)
    expect(normalized(usual).drift).toEqual([])
    expect(usual.response).toEqual({})
  })

  it('maps that an external provider omits become {}', () => {
    const event = triggerEvent('InboundFederation_ExternalProvider', {
      attributes: { idToken: { iat: 1 } },
    } as never)
    expect(normalized(event).drift).toEqual([])
    expect(event.request.attributes).toEqual({
      idToken: { iat: 1 },
      tokenResponse: {},
      userInfo: {},
      samlResponse: {},
    })
  })
})

describe('what is not drift', () => {
  it.each([
    ['a text where a map belongs', { userAttributes: 'ada' }],
    ['a list as an attribute value', { userAttributes: { groups: ['a'] } }],
    ['an object as an attribute value', { userAttributes: { address: { formatted: 'a' } } }],
  ])('%s is not changed and stays invalid', (_, request) => {
    const event = triggerEvent('PreSignUp_SignUp', request as never)
    const before = structuredClone(event)
    expect(normalized(event).drift).toEqual([])
    expect(event).toEqual(before)
    expect(triggerEventCodec.is(event)).toBe(false)
  })

  it('a normalized event is not changed', () => {
    for (const source of sources) {
      const event = triggerEvent(source)
      normalizeTrigger(event)
      const before = JSON.stringify(event)
      expect(normalized(event).drift).toEqual([])
      expect(JSON.stringify(event)).toBe(before)
    }
  })

  it('an event of an unknown source is not changed', () => {
    const event = { triggerSource: 'PreSignup_SignUp', request: null }
    expect(normalized(event)).toEqual({
      event: { triggerSource: 'PreSignup_SignUp', request: null },
      drift: [],
    })
  })
})

const any = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN))

it('normalizeTrigger never throws on any JSON in any place of an event', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...sources),
      fc.jsonValue(),
      fc.jsonValue(),
      any,
      (source, request, context, rest) => {
        normalizeTrigger(rest, [])
        normalizeTrigger({ triggerSource: source, request, callerContext: context, response: rest }, [])
        normalizeTrigger({ ...triggerEvent(source), request: { userAttributes: rest, attributes: rest } })
      },
    ),
    { numRuns: 1000 },
  )
})

it('normalizeTrigger keeps valid events valid and the order of their keys', () => {
  fc.assert(
    fc.property(triggerEvents(), event => {
      const keys = Object.keys(event.request)
      const { drift } = normalized(event)
      expect(drift).toEqual([])
      expect(Object.keys(event.request).slice(0, keys.length)).toEqual(keys)
      expect(problems(triggerEventCodec, event)).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

it('normalizeTrigger changes no prototype', () => {
  const event = JSON.parse(
    `{"triggerSource":"PreSignUp_SignUp","request":{"userAttributes":{"__proto__":true,"constructor":1},"__proto__":{"polluted":1}}}`,
  )
  normalizeTrigger(event)
  expect(Object.entries(event.request.userAttributes)).toEqual([
    ['__proto__', 'true'],
    ['constructor', '1'],
  ])
  expect({}).not.toHaveProperty('polluted')
})

describe('userPoolFamily', () => {
  it('recognizes events by a string in triggerSource, known or not', () => {
    expect(userPoolFamily.recognizes({ triggerSource: '' })).toBe(true)
    expect(userPoolFamily.recognizes(triggerEvent('PreSignUp_SignUp'))).toBe(true)
    for (const other of [undefined, null, 7, 'PreSignUp_SignUp', {}, { triggerSource: 7 }, []]) {
      expect(userPoolFamily.recognizes(other)).toBe(false)
    }
    expect(userPoolFamily.name).toBe('user-pool')
    expect(userPoolFamily.event.name).toBe(triggerEventCodec.name)
  })
})
