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

describe('normalizeTrigger', () => {
  it('turns attribute values that are booleans or numbers into strings', () => {
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

  it('removes an attribute whose value is null', () => {
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

  it('replaces a required map that is null or missing with {}', () => {
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

  it('adds {} for a missing optional map, and does not report this change', () => {
    const event = triggerEvent('PreSignUp_SignUp', { clientMetadata: null } as never)
    expect(normalized(event).drift).toEqual([])
    expect(event.request.clientMetadata).toEqual({})
  })

  it.each([
    [
      'takes the missing cloudSdkVersion from cloudSdk',
      { clientId: 'c', cloudSdk: 'sdk-7' },
      'sdk-7',
      'the value of cloudSdk',
    ],
    ['sets a missing cloudSdkVersion to "unknown"', { clientId: 'c' }, 'unknown', '"unknown"'],
    [
      'sets a missing cloudSdkVersion to "unknown" when cloudSdk is not a string',
      { clientId: 'c', cloudSdk: 7 },
      'unknown',
      '"unknown"',
    ],
  ])('%s', (_, callerContext, version, became) => {
    const event = triggerEvent('PreSignUp_SignUp', {}, { callerContext } as never)
    expect(normalized(event).drift).toEqual([
      { pointer: '/callerContext/cloudSdkVersion', was: 'nothing', became },
    ])
    expect(event.callerContext.cloudSdkVersion).toBe(version)
  })

  it.each([
    ['null, as when an administrator confirms a user', { clientId: null }, 'null'],
    ['missing', {}, 'nothing'],
  ])('sets clientId to "unknown" when it is %s', (_, client, was) => {
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

  it('adds {} for a missing response, and reports this change unless the trigger is a custom sender', () => {
    const strange = triggerEvent('PreSignUp_SignUp', {}, { response: undefined } as never)
    expect(normalized(strange).drift).toEqual([{ pointer: '/response', was: 'nothing', became: '{}' }])
    expect(strange.response).toEqual({})
    const usual = triggerEvent('CustomSMSSender_SignUp', {}, { response: undefined } as never)
    expect(normalized(usual).drift).toEqual([])
    expect(usual.response).toEqual({})
  })

  it('adds {} for the maps that an external provider omits', () => {
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

describe('normalizeTrigger does not change', () => {
  it.each([
    ['a string instead of a map', { userAttributes: 'ada' }],
    ['a list as an attribute value', { userAttributes: { groups: ['a'] } }],
    ['an object as an attribute value', { userAttributes: { address: { formatted: 'a' } } }],
  ])('%s, which stays invalid', (_, request) => {
    const event = triggerEvent('PreSignUp_SignUp', request as never)
    const before = structuredClone(event)
    expect(normalized(event).drift).toEqual([])
    expect(event).toEqual(before)
    expect(triggerEventCodec.is(event)).toBe(false)
  })

  it('an event that is already normalized', () => {
    for (const source of sources) {
      const event = triggerEvent(source)
      normalizeTrigger(event)
      const before = JSON.stringify(event)
      expect(normalized(event).drift).toEqual([])
      expect(JSON.stringify(event)).toBe(before)
    }
  })

  it('an event of an unknown source', () => {
    const event = { triggerSource: 'PreSignup_SignUp', request: null }
    expect(normalized(event)).toEqual({
      event: { triggerSource: 'PreSignup_SignUp', request: null },
      drift: [],
    })
  })
})

const any = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN))

it('normalizeTrigger never throws for any JSON event', () => {
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

it('normalizeTrigger keeps a valid event valid, and does not change the order of its keys', () => {
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

it('normalizeTrigger leaves prototypes unchanged when an event has keys such as __proto__', () => {
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
  it('recognizes an event by a string in triggerSource, even when the source is unknown', () => {
    expect(userPoolFamily.recognizes({ triggerSource: '' })).toBe(true)
    expect(userPoolFamily.recognizes(triggerEvent('PreSignUp_SignUp'))).toBe(true)
    for (const other of [undefined, null, 7, 'PreSignUp_SignUp', {}, { triggerSource: 7 }, []]) {
      expect(userPoolFamily.recognizes(other)).toBe(false)
    }
    expect(userPoolFamily.name).toBe('user-pool')
    expect(userPoolFamily.event.name).toBe(triggerEventCodec.name)
  })
})
