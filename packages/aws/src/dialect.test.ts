import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../fixtures/arbitrary.ts'
import { eventFiles } from '../fixtures/events.ts'
import { awsDialect } from './dialect.ts'
import { fromAws } from './from-aws.ts'

describe('awsDialect', () => {
  it.each([...eventFiles])('translates the event in %s into its AWS form', (_file, event) => {
    expect(JSON.stringify(awsDialect.event(fromAws(event)))).toBe(JSON.stringify(event))
  })

  it('accepts both an event with a response and a bare response from a trigger', () => {
    const event = { triggerSource: 'UserMigration_Authentication' }
    const answer = { response: { userAttributes: { 'cognito:x': '1' } } }
    const neutral = { response: { userAttributes: { 'pool:x': '1' } } }
    expect(awsDialect.result({ ...event, ...answer }, event)).toEqual({ ...event, ...neutral })
    expect(awsDialect.result(answer, event)).toEqual(neutral)
  })

  it('adds the fields that are optional on AWS to an HTTP response that lacks them', () => {
    const event = { requestContext: { elb: {} } }
    expect(awsDialect.result({ statusCode: 200 }, event)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
    })
  })

  it('returns a missing result, and a result for a queue or for mail, unchanged', () => {
    for (const answer of [undefined, null, { batchItemFailures: [] }, { actions: [] }]) {
      expect(awsDialect.result(answer, { Records: [] })).toBe(answer)
    }
  })

  it('never throws for a JSON value', () => {
    fc.assert(
      fc.property(fc.oneof(awsEvent, json), fc.oneof(awsEvent, json), (answer, event) => {
        awsDialect.event(event)
        awsDialect.result(answer, event)
      }),
      { numRuns: 300 },
    )
  })
})
