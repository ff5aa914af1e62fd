import { describe, expect, it } from '@jest/globals'
import {
  customMessageEvent,
  defineAuthChallengeEvent,
  tokenGenerationEvent,
  triggerEvent,
} from '../../testing/index.ts'
import { reservedClaims } from '../fields/claim.ts'
import { emailMessageLength, smsMessageLength } from '../limits.ts'
import { responseProblems } from './response-problems.ts'

describe('Custom message', () => {
  const signUp = customMessageEvent({ codeParameter: '####', usernameParameter: '{username}' })
  const invitation = triggerEvent('CustomMessage_AdminCreateUser', {
    codeParameter: '####',
    usernameParameter: '{username}',
  })
  const wrong = (response: unknown, event: unknown = signUp) =>
    responseProblems('CustomMessage', response, event).map(
      ({ pointer, expected }) => `${pointer}: ${expected}`,
    )

  it('needs the `codeParameter` of the request in SMS and e-mail messages', () => {
    expect(wrong({ smsMessage: 'Code ####', emailMessage: '<b>####</b>', emailSubject: 'Hello' })).toEqual([])
    expect(wrong({ smsMessage: 'Code', emailMessage: '<b>####</b>' })).toEqual([
      '/response/smsMessage: a text with the codeParameter',
    ])
    expect(wrong({ smsMessage: 'Code ####', emailMessage: '<b>1234</b>' })).toEqual([
      '/response/emailMessage: a text with the codeParameter',
    ])
  })

  it('CustomMessage_AdminCreateUser needs the code placeholder, and no placeholder of the username', () => {
    expect(wrong({ smsMessage: '####', emailMessage: 'Code ####' }, invitation)).toEqual([])
    expect(wrong({ smsMessage: '{username}' }, invitation)).toEqual([
      '/response/smsMessage: a text with the codeParameter',
    ])
  })

  it('allows at most 20,000 characters in an e-mail and 140 in an SMS (extension)', () => {
    const text = (length: number) => '####'.padEnd(length, 'x')
    expect([emailMessageLength, smsMessageLength]).toEqual([20_000, 140])
    expect(wrong({ smsMessage: text(140), emailMessage: text(20_000) })).toEqual([])
    expect(wrong({ smsMessage: text(141), emailMessage: text(20_001) })).toEqual([
      '/response/smsMessage: at most 140 characters',
      '/response/emailMessage: at most 20000 characters',
    ])
  })

  it('counts a character outside of the first Unicode plane once (extension)', () => {
    const faces = (count: number) => `####${'😀'.repeat(count - 4)}`
    expect(wrong({ smsMessage: faces(140), emailMessage: faces(20_000) })).toEqual([])
    expect(
      responseProblems('CustomMessage', { smsMessage: faces(141) }, signUp).map(({ actual }) => actual),
    ).toEqual(['141 characters'])
  })

  it('null and absent messages are valid', () => {
    expect(wrong({ smsMessage: null, emailMessage: undefined })).toEqual([])
  })

  it('applies no rule when the event itself is broken', () => {
    expect(wrong({ smsMessage: 'Code' }, { triggerSource: 'CustomMessage_SignUp' })).toEqual([])
  })
})

describe('Define auth challenge', () => {
  const event = defineAuthChallengeEvent()
  const wrong = (response: unknown) => responseProblems('DefineAuthChallenge', response, event)
  const asks = { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }

  it.each([
    { ...asks, challengeName: undefined, issueTokens: true },
    { ...asks, challengeName: null, failAuthentication: true },
    { ...asks, challengeName: '', failAuthentication: true },
    asks,
    // Without a decision: valid, and the sign-in fails.
    { ...asks, challengeName: null },
  ])('accepts at most one decision (extension): %j', response => {
    expect(wrong(response)).toEqual([])
  })

  it.each([
    [{ ...asks, issueTokens: true }, 'issueTokens and challengeName'],
    [{ ...asks, failAuthentication: true }, 'failAuthentication and challengeName'],
    [
      { ...asks, challengeName: null, issueTokens: true, failAuthentication: true },
      'issueTokens and failAuthentication',
    ],
    [
      { ...asks, issueTokens: true, failAuthentication: true },
      'issueTokens and failAuthentication and challengeName',
    ],
  ])('refuses two decisions at once (extension): %j', (response, actual) => {
    const expected = 'one of issueTokens, failAuthentication and challengeName'
    expect(wrong(response)).toEqual([{ pointer: '/response', expected, actual }])
  })
})

describe('Pre token generation', () => {
  const event = tokenGenerationEvent()
  const wrong = (response: unknown, to: unknown = event) =>
    responseProblems('TokenGeneration', response, to).map(({ pointer }) => pointer)
  const scoped = { claimsAndScopeOverrideDetails: { accessTokenGeneration: { scopesToAdd: ['a'] } } }

  it('allows claimsAndScopeOverrideDetails for `version` "2" and "3", and for events with scopes (extension)', () => {
    expect(wrong(scoped)).toEqual(['/response/claimsAndScopeOverrideDetails'])
    expect(wrong(scoped, tokenGenerationEvent({}, { version: '2' }))).toEqual([])
    expect(wrong(scoped, tokenGenerationEvent({}, { version: '3' }))).toEqual([])
    expect(wrong(scoped, tokenGenerationEvent({ scopes: ['a'] }))).toEqual([])
    expect(wrong({ claimsAndScopeOverrideDetails: null })).toEqual([])
    expect(wrong(scoped, { version: '1' })).toEqual(['/response/claimsAndScopeOverrideDetails'])
  })

  it.each(reservedClaims)('refuses to override the reserved claim %s (extension)', claim => {
    const overrides = {
      claimsToAddOrOverride: { [claim]: 'x', tenant: 't1' },
      claimsToSuppress: ['email', claim],
    }
    expect(wrong({ claimsOverrideDetails: overrides })).toEqual([
      `/response/claimsOverrideDetails/claimsToAddOrOverride/${claim}`,
      '/response/claimsOverrideDetails/claimsToSuppress/1',
    ])
    const under = '/response/claimsAndScopeOverrideDetails'
    const both = { idTokenGeneration: overrides, accessTokenGeneration: overrides }
    expect(
      wrong({ claimsAndScopeOverrideDetails: both }, tokenGenerationEvent({}, { version: '2' })),
    ).toEqual([
      `${under}/idTokenGeneration/claimsToAddOrOverride/${claim}`,
      `${under}/idTokenGeneration/claimsToSuppress/1`,
      `${under}/accessTokenGeneration/claimsToAddOrOverride/${claim}`,
      `${under}/accessTokenGeneration/claimsToSuppress/1`,
    ])
  })

  it.each(['idTokenGeneration', 'accessTokenGeneration'])(
    'refuses to override sub in %s alone (extension)',
    token => {
      const claimsAndScopeOverrideDetails = { [token]: { claimsToSuppress: ['sub'] } }
      const to = tokenGenerationEvent({}, { version: '2' })
      expect(wrong({ claimsAndScopeOverrideDetails }, to)).toEqual([
        `/response/claimsAndScopeOverrideDetails/${token}/claimsToSuppress/0`,
      ])
    },
  )

  it('refuses group claims outside of `groupOverrideDetails`', () => {
    expect(wrong({ claimsOverrideDetails: { claimsToAddOrOverride: { 'pool:groups': 'a' } } })).toEqual([
      '/response/claimsOverrideDetails/claimsToAddOrOverride/pool:groups',
    ])
    expect(wrong({ claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: ['a'] } } })).toEqual(
      [],
    )
    expect(wrong({ claimsOverrideDetails: { claimsToSuppress: ['pool:groups'] } })).toEqual([])
  })
})

it('other triggers have fields and no further rules', () => {
  expect(responseProblems('PreSignUp', { autoConfirmUser: true }, {})).toEqual([])
  expect(responseProblems('PreSignUp', undefined, {})).toEqual([
    { pointer: '/response', expected: expect.any(String), actual: expect.any(String) },
  ])
})

it('a problem names the kind of an invalid value and never shows the value', () => {
  const actuals = (...[trigger, response, event]: Parameters<typeof responseProblems>) =>
    responseProblems(trigger, response, event).map(({ expected, actual }) => `${expected} | ${actual}`)
  const scoped = { claimsAndScopeOverrideDetails: {} }
  expect(actuals('CustomMessage', { smsMessage: 'Code' }, customMessageEvent())).toEqual([
    'a text with the codeParameter | a text without',
  ])
  expect(actuals('TokenGeneration', scoped, tokenGenerationEvent())).toEqual([
    'nothing, for an event of this version | an object',
  ])
  const set = (claimsToAddOrOverride: object) => ({ claimsOverrideDetails: { claimsToAddOrOverride } })
  expect(actuals('TokenGeneration', set({ sub: 'x' }), tokenGenerationEvent())).toEqual([
    'no reserved claim | a value',
  ])
  expect(actuals('TokenGeneration', set({ 'pool:groups': 'x' }), tokenGenerationEvent())).toEqual([
    'group claims in groupOverrideDetails only | a value',
  ])
})

it.each<[string, unknown, boolean]>([
  ['a list of texts', ['a', 'b'], true],
  ['a list with null at its end', ['a', null], false],
  ['an object in which one field is null', { a: 'a', b: null }, false],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), true],
  ['a date', new Date(0), false],
  ['null', null, false],
])('a claim may be JSON without null: %s', (_, role, isRight) => {
  const claimsAndScopeOverrideDetails = { idTokenGeneration: { claimsToAddOrOverride: { role } } }
  const event = tokenGenerationEvent({}, { version: '2' })
  const found = responseProblems('TokenGeneration', { claimsAndScopeOverrideDetails }, event)
  const pointer = '/response/claimsAndScopeOverrideDetails/idTokenGeneration/claimsToAddOrOverride/role'
  expect(found).toEqual(isRight ? [] : [expect.objectContaining({ pointer, expected: 'JSON without null' })])
})

it('an answer without fields is an object', () => {
  expect(responseProblems('PostConfirmation', {}, {})).toEqual([])
  expect(responseProblems('PostConfirmation', 7, {})).toEqual([
    { pointer: '/response', expected: 'object', actual: 'a number' },
  ])
})
