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

describe('an answer to Custom message', () => {
  const signUp = customMessageEvent({ codeParameter: '####', usernameParameter: '{username}' })
  const invitation = triggerEvent('CustomMessage_AdminCreateUser', {
    codeParameter: '####',
    usernameParameter: '{username}',
  })
  const wrong = (response: unknown, event: unknown = signUp) =>
    responseProblems('CustomMessage', response, event).map(
      ({ pointer, expected }) => `${pointer}: ${expected}`,
    )

  it('must contain the `codeParameter` of the request in both its SMS and its e-mail', () => {
    expect(wrong({ smsMessage: 'Code ####', emailMessage: '<b>####</b>', emailSubject: 'Hello' })).toEqual([])
    expect(wrong({ smsMessage: 'Code', emailMessage: '<b>####</b>' })).toEqual([
      '/response/smsMessage: a text with the codeParameter',
    ])
    expect(wrong({ smsMessage: 'Code ####', emailMessage: '<b>1234</b>' })).toEqual([
      '/response/emailMessage: a text with the codeParameter',
    ])
  })

  it('needs no username placeholder for CustomMessage_AdminCreateUser', () => {
    expect(wrong({ smsMessage: '####', emailMessage: 'Code ####' }, invitation)).toEqual([])
    expect(wrong({ smsMessage: '{username}' }, invitation)).toEqual([
      '/response/smsMessage: a text with the codeParameter',
    ])
  })

  it('may have at most 20,000 characters in an e-mail and 140 in an SMS', () => {
    const text = (length: number) => '####'.padEnd(length, 'x')
    expect([emailMessageLength, smsMessageLength]).toEqual([20_000, 140])
    expect(wrong({ smsMessage: text(140), emailMessage: text(20_000) })).toEqual([])
    expect(wrong({ smsMessage: text(141), emailMessage: text(20_001) })).toEqual([
      '/response/smsMessage: at most 140 characters',
      '/response/emailMessage: at most 20000 characters',
    ])
  })

  it('is measured in code points, so an emoji counts as one character', () => {
    const faces = (count: number) => `####${'😀'.repeat(count - 4)}`
    expect(wrong({ smsMessage: faces(140), emailMessage: faces(20_000) })).toEqual([])
    expect(
      responseProblems('CustomMessage', { smsMessage: faces(141) }, signUp).map(({ actual }) => actual),
    ).toEqual(['141 characters'])
  })

  it('may omit a message or set it to null', () => {
    expect(wrong({ smsMessage: null, emailMessage: undefined })).toEqual([])
  })

  it('may lack the code when the event is invalid and has no `codeParameter`', () => {
    expect(wrong({ smsMessage: 'Code' }, { triggerSource: 'CustomMessage_SignUp' })).toEqual([])
  })
})

describe('an answer to Define auth challenge', () => {
  const event = defineAuthChallengeEvent()
  const wrong = (response: unknown) => responseProblems('DefineAuthChallenge', response, event)
  const asks = { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }

  it.each([
    ['issues tokens', { ...asks, challengeName: undefined, issueTokens: true }],
    [
      'fails the sign-in and has null as challengeName',
      { ...asks, challengeName: null, failAuthentication: true },
    ],
    [
      'fails the sign-in, with an empty challengeName',
      { ...asks, challengeName: '', failAuthentication: true },
    ],
    ['asks for a challenge', asks],
    // An answer without a decision is valid, but the sign-in fails.
    ['makes no decision', { ...asks, challengeName: null }],
  ] as const)('is valid when it %s', (_, response) => {
    expect(wrong(response)).toEqual([])
  })

  it.each([
    [
      'both issues tokens and names a challenge',
      { ...asks, issueTokens: true },
      'issueTokens and challengeName',
    ],
    [
      'both fails the authentication and names a challenge',
      { ...asks, failAuthentication: true },
      'failAuthentication and challengeName',
    ],
    [
      'both issues tokens and fails the authentication',
      { ...asks, challengeName: null, issueTokens: true, failAuthentication: true },
      'issueTokens and failAuthentication',
    ],
    [
      'makes all three decisions',
      { ...asks, issueTokens: true, failAuthentication: true },
      'issueTokens and failAuthentication and challengeName',
    ],
  ])('is refused when it %s', (_, response, actual) => {
    const expected = 'one of issueTokens, failAuthentication and challengeName'
    expect(wrong(response)).toEqual([{ pointer: '/response', expected, actual }])
  })
})

describe('an answer to Pre token generation', () => {
  const event = tokenGenerationEvent()
  const wrong = (response: unknown, to: unknown = event) =>
    responseProblems('TokenGeneration', response, to).map(({ pointer }) => pointer)
  const scoped = { claimsAndScopeOverrideDetails: { accessTokenGeneration: { scopesToAdd: ['a'] } } }

  it('may have claimsAndScopeOverrideDetails if the event has version 2 or 3, or has scopes', () => {
    expect(wrong(scoped)).toEqual(['/response/claimsAndScopeOverrideDetails'])
    expect(wrong(scoped, tokenGenerationEvent({}, { version: '2' }))).toEqual([])
    expect(wrong(scoped, tokenGenerationEvent({}, { version: '3' }))).toEqual([])
    expect(wrong(scoped, tokenGenerationEvent({ scopes: ['a'] }))).toEqual([])
    expect(wrong({ claimsAndScopeOverrideDetails: null })).toEqual([])
    expect(wrong(scoped, { version: '1' })).toEqual(['/response/claimsAndScopeOverrideDetails'])
  })

  it.each(reservedClaims)('is refused when it overrides the reserved claim %s', claim => {
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

  it.each(['pool:username', 'cognito:username', 'cognito:user_status', 'pool:tier'])(
    'is refused when it sets or suppresses %s, whose prefix is reserved',
    name => {
      const claimsOverrideDetails = { claimsToAddOrOverride: { [name]: 'x' }, claimsToSuppress: [name] }
      expect(wrong({ claimsOverrideDetails })).toEqual([
        `/response/claimsOverrideDetails/claimsToAddOrOverride/${name}`,
        '/response/claimsOverrideDetails/claimsToSuppress/0',
      ])
    },
  )

  it('may suppress a claim of developers (dev:), but not set it', () => {
    expect(wrong({ claimsOverrideDetails: { claimsToSuppress: ['dev:tier'] } })).toEqual([])
    expect(wrong({ claimsOverrideDetails: { claimsToAddOrOverride: { 'dev:tier': 'x' } } })).toEqual([
      '/response/claimsOverrideDetails/claimsToAddOrOverride/dev:tier',
    ])
  })

  it('is told where scopes go when it sets the claim scope', () => {
    const claimsOverrideDetails = { claimsToAddOrOverride: { scope: 'orders' } }
    expect(responseProblems('TokenGeneration', { claimsOverrideDetails }, event)).toEqual([
      {
        pointer: '/response/claimsOverrideDetails/claimsToAddOrOverride/scope',
        expected: 'scopes in scopesToAdd and scopesToSuppress only',
        actual: 'a value',
      },
    ])
  })

  it.each(['idTokenGeneration', 'accessTokenGeneration'])(
    'is refused when it suppresses the claim `sub` only in %s',
    token => {
      const claimsAndScopeOverrideDetails = { [token]: { claimsToSuppress: ['sub'] } }
      const to = tokenGenerationEvent({}, { version: '2' })
      expect(wrong({ claimsAndScopeOverrideDetails }, to)).toEqual([
        `/response/claimsAndScopeOverrideDetails/${token}/claimsToSuppress/0`,
      ])
    },
  )

  it('is refused when it sets group claims outside of `groupOverrideDetails`', () => {
    expect(wrong({ claimsOverrideDetails: { claimsToAddOrOverride: { 'pool:groups': 'a' } } })).toEqual([
      '/response/claimsOverrideDetails/claimsToAddOrOverride/pool:groups',
    ])
    expect(wrong({ claimsOverrideDetails: { groupOverrideDetails: { groupsToOverride: ['a'] } } })).toEqual(
      [],
    )
    expect(wrong({ claimsOverrideDetails: { claimsToSuppress: ['pool:groups'] } })).toEqual([])
  })

  it.each(['cognito:groups', 'cognito:roles', 'cognito:preferred_role'])(
    'is refused when it sets the group claim %s by its name in tokens',
    claim => {
      const overrides = { claimsToAddOrOverride: { [claim]: 'a' } }
      expect(wrong({ claimsOverrideDetails: overrides })).toEqual([
        `/response/claimsOverrideDetails/claimsToAddOrOverride/${claim}`,
      ])
      const claimsAndScopeOverrideDetails = { accessTokenGeneration: overrides }
      expect(wrong({ claimsAndScopeOverrideDetails }, tokenGenerationEvent({}, { version: '2' }))).toEqual([
        `/response/claimsAndScopeOverrideDetails/accessTokenGeneration/claimsToAddOrOverride/${claim}`,
      ])
    },
  )
})

it('an answer to PreSignUp is checked only for the types of its fields', () => {
  expect(responseProblems('PreSignUp', { autoConfirmUser: true }, {})).toEqual([])
  expect(responseProblems('PreSignUp', undefined, {})).toEqual([
    { pointer: '/response', expected: expect.any(String), actual: expect.any(String) },
  ])
})

it('a problem with an answer describes the invalid value, but never shows it', () => {
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
  ['may be a list of strings', ['a', 'b'], true],
  ['may not be a list that contains null', ['a', null], false],
  ['may not be an object with a field that is null', { a: 'a', b: null }, false],
  ['may be an object without a prototype', Object.assign(Object.create(null), { a: 1 }), true],
  ['may not be a date', new Date(0), false],
  ['may not be null', null, false],
])('a claim %s', (_, role, isRight) => {
  const claimsAndScopeOverrideDetails = { idTokenGeneration: { claimsToAddOrOverride: { role } } }
  const event = tokenGenerationEvent({}, { version: '2' })
  const found = responseProblems('TokenGeneration', { claimsAndScopeOverrideDetails }, event)
  const pointer = '/response/claimsAndScopeOverrideDetails/idTokenGeneration/claimsToAddOrOverride/role'
  expect(found).toEqual(isRight ? [] : [expect.objectContaining({ pointer, expected: 'JSON without null' })])
})

it('an answer to PostConfirmation must be an object, although it has no fields', () => {
  expect(responseProblems('PostConfirmation', {}, {})).toEqual([])
  expect(responseProblems('PostConfirmation', 7, {})).toEqual([
    { pointer: '/response', expected: 'object', actual: 'a number' },
  ])
})
