import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../fixtures/arbitrary.ts'
import { eventFiles } from '../fixtures/events.ts'
import { awsDialect } from './dialect.ts'
import { fromAws } from './from-aws.ts'

describe('the dialect', () => {
  it.each([...eventFiles])('sends %s as AWS does', (_file, event) => {
    expect(JSON.stringify(awsDialect.event(fromAws(event)))).toBe(JSON.stringify(event))
  })

  it('reads the answer to a user pool, whole or bare', () => {
    const event = { triggerSource: 'UserMigration_Authentication' }
    const answer = { response: { userAttributes: { 'cognito:x': '1' } } }
    const neutral = { response: { userAttributes: { 'pool:x': '1' } } }
    expect(awsDialect.result({ ...event, ...answer }, event)).toEqual({ ...event, ...neutral })
    expect(awsDialect.result(answer, event)).toEqual(neutral)
  })

  it('fills in what AWS lets be missing from an HTTP response', () => {
    const event = { requestContext: { elb: {} } }
    expect(awsDialect.result({ statusCode: 200 }, event)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
    })
  })

  it('reads every other answer as it is', () => {
    for (const answer of [undefined, null, { batchItemFailures: [] }, { actions: [] }]) {
      expect(awsDialect.result(answer, { Records: [] })).toBe(answer)
    }
  })

  it('never throws on any JSON', () => {
    fc.assert(
      fc.property(fc.oneof(awsEvent, json), fc.oneof(awsEvent, json), (answer, event) => {
        awsDialect.event(event)
        awsDialect.result(answer, event)
      }),
      { numRuns: 300 },
    )
  })
})
