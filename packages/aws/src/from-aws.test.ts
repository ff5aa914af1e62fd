import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../fixtures/arbitrary.ts'
import { cognitoEvents } from '../fixtures/cognito.ts'
import { cognitoHabits } from '../fixtures/cognito-habits.ts'
import { albEvents, sqsEvents, workMailEvents } from '../fixtures/others.ts'
import { fromAws } from './from-aws.ts'

type Json = { readonly [key: string]: Json }

/** Puts a value into an otherwise empty event, translates the event, and returns the result. */
function at(path: string, value: unknown, identifying: object = { triggerSource: '' }): unknown {
  const keys = path.split('.')
  const event = keys.reduceRight<unknown>((inner, key) => (key === '[]' ? [inner] : { [key]: inner }), value)
  let found: unknown = fromAws({ ...identifying, ...(event as object) })
  for (const key of keys) found = (found as Json)[key === '[]' ? 0 : key]
  return found
}

const alb = { requestContext: { elb: {} } }

describe('fromAws()', () => {
  it('renames `awsSdkVersion` to `cloudSdkVersion`, and `awsSdk` to `cloudSdk`, in `callerContext`', () => {
    expect(at('callerContext', { awsSdkVersion: '1', clientId: 'c' })).toEqual({
      cloudSdkVersion: '1',
      clientId: 'c',
    })
    expect(at('callerContext', { awsSdk: '1', clientId: 'c' })).toEqual({ cloudSdk: '1', clientId: 'c' })
  })

  it('renames `cognito:*` to `pool:*` in the keys of `request.userAttributes`', () => {
    expect(at('request.userAttributes', { 'cognito:user_status': 'cognito:x', email: 'e' })).toEqual({
      'pool:user_status': 'cognito:x',
      email: 'e',
    })
  })

  it('renames `iamRolesToOverride` to `accessRolesToOverride` in `request.groupConfiguration`', () => {
    expect(at('request.groupConfiguration', { iamRolesToOverride: ['iamRolesToOverride'] })).toEqual({
      accessRolesToOverride: ['iamRolesToOverride'],
    })
  })

  it('renames the scope `aws.cognito.signin.user.admin` to `cloud.pool.signin.user.admin`', () => {
    expect(at('request.scopes', ['openid', 'aws.cognito.signin.user.admin'])).toEqual([
      'openid',
      'cloud.pool.signin.user.admin',
    ])
  })

  it('renames `AWSTraceHeader` to `CloudTraceHeader` in `Records[].attributes`', () => {
    expect(at('Records.[].attributes', { AWSTraceHeader: 'Root=1' }, {})).toEqual({
      CloudTraceHeader: 'Root=1',
    })
  })

  it('renames `aws:sqs` to `cloud:queue` in `Records[].eventSource`', () => {
    expect(at('Records.[].eventSource', 'aws:sqs', {})).toBe('cloud:queue')
    expect(at('Records.[].eventSource', 'aws:s3', {})).toBe('aws:s3')
  })

  it('renames `awsRegion` to `cloudRegion` in `Records[]`', () => {
    expect(at('Records.[]', { awsRegion: 'awsRegion' }, {})).toEqual({ cloudRegion: 'awsRegion' })
  })

  it('renames `x-amzn-trace-id` to `x-cloud-trace-id` in `headers` and `multiValueHeaders` of requests', () => {
    expect(at('headers', { 'x-amzn-trace-id': 'Root' }, alb)).toEqual({ 'x-cloud-trace-id': 'Root' })
    expect(at('multiValueHeaders', { 'x-amzn-trace-id': ['Root'] }, alb)).toEqual({
      'x-cloud-trace-id': ['Root'],
    })
  })
})

describe('fromAws()', () => {
  it.each<readonly [string, unknown]>([
    ...[
      'validationData',
      'clientMetadata',
      'privateChallengeParameters',
      'session',
      'attributes',
      'codeParameter',
    ].map(
      key =>
        [
          `request.${key}`,
          { triggerSource: '', request: { [key]: { 'cognito:x': 'cognito:x', awsRegion: 1 } } },
        ] as const,
    ),
    [
      'custom attributes',
      {
        triggerSource: '',
        request: { userAttributes: { 'custom:cognito:x': 'cognito:x', identities: '[]' } },
      },
    ],
    [
      'other fields of a trigger',
      { triggerSource: '', 'cognito:x': 1, awsRegion: 'aws:sqs', headers: { 'x-amzn-trace-id': 1 } },
    ],
    [
      'the body and the messageAttributes of a message',
      { Records: [{ body: 'aws:sqs', messageAttributes: { AWSTraceHeader: { stringValue: 'aws:sqs' } } }] },
    ],
    [
      'the ARN and the ids of a message',
      { Records: [{ eventSourceARN: 'arn:aws:sqs:eu:1:q', receiptHandle: 'aws:sqs', messageId: 'aws:sqs' }] },
    ],
    [
      'other fields of a request',
      {
        ...alb,
        queryStringParameters: { 'x-amzn-trace-id': 1 },
        body: 'aws:sqs',
        path: '/aws:sqs',
        awsRegion: 1,
      },
    ],
    [
      'a request of an API gateway',
      { requestContext: { stage: '$default' }, headers: { 'x-amzn-trace-id': 'of an API gateway' } },
    ],
    ['a mail event', workMailEvents.inbound],
  ])('leaves names in %s unchanged', (_, event) => {
    expect(fromAws(event)).toBe(event)
  })

  it('escapes a name that looks like a translated name but comes from AWS, so that no two names collide', () => {
    expect(at('request.userAttributes', { 'cognito:x': 1, 'pool:x': 2, 'aws:pool:x': 3 })).toEqual({
      'pool:x': 1,
      'aws:pool:x': 2,
      'aws:aws:pool:x': 3,
    })
    expect(at('callerContext', { awsSdkVersion: 1, cloudSdkVersion: 2 })).toEqual({
      cloudSdkVersion: 1,
      awsSdkVersion: 2,
    })
  })

  it('keeps unknown keys and the order of keys', () => {
    const event = { z: 1, Records: [{ awsRegion: 'eu', extra: 1, body: '' }], '': 2 }
    expect(JSON.stringify(fromAws(event))).toBe(
      '{"z":1,"Records":[{"cloudRegion":"eu","extra":1,"body":""}],"":2}',
    )
  })

  it('never throws for a JSON value, and changes neither its argument nor a prototype', () => {
    fc.assert(
      fc.property(fc.oneof(awsEvent, json), event => {
        const before = JSON.stringify(event)
        fromAws(event)
        expect(JSON.stringify(event)).toBe(before)
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('returns non-JSON values unchanged', () => {
    for (const value of [undefined, () => 1, Symbol('x'), 1n, new Date(0), new Map(), Object.create(null)]) {
      expect(fromAws(value)).toBe(value)
    }
  })

  it('translates every AWS name in the fixtures', () => {
    const all = { ...cognitoEvents, ...cognitoHabits, ...sqsEvents, ...albEvents }
    for (const event of Object.values(all)) {
      const { callerContext, request, Records, headers, multiValueHeaders } = fromAws(event) as Json
      const records = Array.isArray(Records) ? (Records as Json[]) : []
      const keyed = [
        callerContext,
        request?.userAttributes,
        request?.groupConfiguration,
        headers,
        multiValueHeaders,
      ]
      const keys = [
        ...[...keyed, ...records, ...records.map(record => record.attributes)].flatMap(object =>
          Object.keys(object ?? {}),
        ),
        ...records.map(record => record.eventSource),
        ...Object.values(request?.scopes ?? {}),
      ].map(String)
      expect(keys.filter(key => /aws|cognito:|iam|amzn/i.test(key))).toEqual([])
    }
  })
})
