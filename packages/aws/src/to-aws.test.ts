import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../fixtures/arbitrary.ts'
import { eventFiles } from '../fixtures/events.ts'
import { fromAws } from './from-aws.ts'
import { toAws } from './to-aws.ts'

const trigger = { triggerSource: 'TokenGeneration_Authentication' }
const alb = { requestContext: { elb: {} }, headers: {} }

/** Translates a trigger event with this `response`, and returns the translated response. */
const responded = (response: object) => (toAws({ ...trigger, response }) as { response: unknown }).response

describe('toAws()', () => {
  it('renames `pool:*` to `cognito:*` in `claimsToAddOrOverride` and `claimsToSuppress`', () => {
    const neutral = {
      claimsToAddOrOverride: { tenant: 'pool:x', 'pool:level': '1' },
      claimsToSuppress: ['pool:roles', 'email'],
    }
    const aws = {
      claimsToAddOrOverride: { tenant: 'pool:x', 'cognito:level': '1' },
      claimsToSuppress: ['cognito:roles', 'email'],
    }
    expect(responded({ claimsOverrideDetails: neutral })).toEqual({ claimsOverrideDetails: aws })
    const both = (claims: object) => ({
      claimsAndScopeOverrideDetails: { idTokenGeneration: claims, accessTokenGeneration: claims },
    })
    expect(responded(both(neutral))).toEqual(both(aws))
  })

  it('renames `pool:*` to `cognito:*` in the attributes that a migration or federation trigger returns', () => {
    expect(responded({ userAttributes: { 'pool:mfa_enabled': 'false', email: 'pool:x' } })).toEqual({
      userAttributes: { 'cognito:mfa_enabled': 'false', email: 'pool:x' },
    })
    expect(responded({ userAttributesToMap: { 'pool:x': '', name: 'Ada' } })).toEqual({
      userAttributesToMap: { 'cognito:x': '', name: 'Ada' },
    })
  })

  it('renames `accessRolesToOverride` to `iamRolesToOverride` in `groupOverrideDetails` of both token-generation formats', () => {
    const groups = (key: string) => ({ groupOverrideDetails: { groupsToOverride: ['a'], [key]: ['r'] } })
    for (const details of ['claimsOverrideDetails', 'claimsAndScopeOverrideDetails']) {
      expect(responded({ [details]: groups('accessRolesToOverride') })).toEqual({
        [details]: groups('iamRolesToOverride'),
      })
    }
  })

  it('renames the scope `cloud.pool.signin.user.admin` to `aws.cognito.signin.user.admin`', () => {
    const scopes = (scope: string) => ({
      claimsAndScopeOverrideDetails: {
        accessTokenGeneration: { scopesToAdd: [scope, 'x'], scopesToSuppress: ['y', scope] },
      },
    })
    expect(responded(scopes('cloud.pool.signin.user.admin'))).toEqual(scopes('aws.cognito.signin.user.admin'))
  })

  it.each(
    [
      'publicChallengeParameters',
      'privateChallengeParameters',
      'challengeMetadata',
      'emailMessage',
      'smsMessage',
    ].map(key => [key, { [key]: { 'pool:x': 'pool:x', cloudRegion: 'cloud:queue' } }] as const),
  )('leaves names in %s unchanged', (_, response) => {
    expect(responded(response)).toBe(response)
  })
})

describe('toAws()', () => {
  it('restores the exact value that fromAws() translated, including the order of its keys', () => {
    fc.assert(
      fc.property(fc.oneof(awsEvent, json), event => {
        const neutral = fromAws(event)
        expect(JSON.stringify(toAws(neutral))).toBe(JSON.stringify(event))
        expect(JSON.stringify(toAws(neutral, event))).toBe(JSON.stringify(event))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([...eventFiles])('restores the event in %s after fromAws()', (_file, event) => {
    const neutral = fromAws(event)
    for (const back of [toAws(neutral), toAws(neutral, event), toAws(neutral, neutral)]) {
      expect(JSON.stringify(back)).toBe(JSON.stringify(event))
    }
  })

  it('never throws for a JSON value, and does not change its arguments', () => {
    fc.assert(
      fc.property(fc.oneof(awsEvent, json), fc.oneof(awsEvent, json), (result, event) => {
        const before = JSON.stringify([result, event])
        toAws(result, event)
        expect(JSON.stringify([result, event])).toBe(before)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps AWS names that a handler returns', () => {
    const response = {
      claimsOverrideDetails: {
        claimsToAddOrOverride: { 'cognito:level': '1' },
        claimsToSuppress: ['cognito:roles'],
        groupOverrideDetails: { iamRolesToOverride: [] },
      },
    }
    expect(responded(response)).toEqual(response)
  })

  it('keeps both values when a result has both the AWS name and the neutral name of a field', () => {
    const claimsToAddOrOverride = { 'pool:level': '1', 'cognito:level': '2' }
    expect(responded({ claimsOverrideDetails: { claimsToAddOrOverride } })).toEqual({
      claimsOverrideDetails: { claimsToAddOrOverride },
    })
  })

  it('renames fields of a bare response only when the AWS or neutral event is also passed', () => {
    const answer = { response: { userAttributes: { 'pool:x': '1' } } }
    for (const event of [trigger, fromAws(trigger)]) {
      expect(toAws(answer, event)).toEqual({ response: { userAttributes: { 'cognito:x': '1' } } })
    }
    expect(toAws(answer)).toBe(answer)
  })

  it('returns the original callerContext and request of a trigger event', () => {
    const event = {
      ...trigger,
      callerContext: { awsSdk: '1' },
      request: { userAttributes: { 'cognito:x': true } },
    }
    const normalized = {
      ...trigger,
      callerContext: { cloudSdk: '1', cloudSdkVersion: '1' },
      request: { userAttributes: { 'pool:x': 'true' }, clientMetadata: {} },
      response: { userAttributes: { 'pool:x': '1' } },
    }
    const answer = toAws(normalized, event) as typeof event
    expect(answer).toEqual({ ...event, response: { userAttributes: { 'cognito:x': '1' } } })
    expect(answer.request).toBe(event.request)
  })

  it.each([{ awsSdkVersion: null, clientId: null }, { clientId: 'c' }, {}])(
    'returns the original callerContext and request if callerContext names no SDK: %j',
    callerContext => {
      const event = { ...trigger, callerContext, request: { userAttributes: { 'cognito:x': null } } }
      const normalized = {
        ...trigger,
        callerContext: { cloudSdkVersion: 'unknown', clientId: 'unknown' },
        request: { userAttributes: {}, clientMetadata: {} },
        response: { userAttributes: { 'pool:x': '1' } },
      }
      const answer = { ...event, response: { userAttributes: { 'cognito:x': '1' } } }
      expect(JSON.stringify(toAws(normalized, event))).toBe(JSON.stringify(answer))
    },
  )

  it('returns the results of queue and mail handlers unchanged', () => {
    const failures = { batchItemFailures: [{ itemIdentifier: 'cloud:queue' }] }
    expect(toAws(failures, { Records: [] })).toBe(failures)
    const actions = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
    expect(toAws(actions, { flowDirection: 'INBOUND' })).toBe(actions)
    for (const nothing of [undefined, null]) {
      expect(toAws(nothing, trigger)).toBe(nothing)
      expect(toAws(nothing, alb)).toBe(nothing)
    }
  })

  it('adds missing fields to an HTTP response, and keeps its headers', () => {
    const headers = { 'x-cloud-trace-id': 'Root', 'x-amzn-trace-id': 'Root' }
    expect(toAws({ statusCode: 204, headers }, alb)).toEqual({
      statusCode: 204,
      headers,
      statusDescription: '204 No Content',
      isBase64Encoded: false,
    })
    const whole = { statusCode: 204, statusDescription: '204 No Content', isBase64Encoded: false, headers }
    expect(toAws(whole, alb)).toBe(whole)
  })
})
