import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../fixtures/arbitrary.ts'
import { eventFiles } from '../fixtures/events.ts'
import { completeRecords } from './complete-records.ts'
import { awsDialect } from './dialect.ts'
import { fromAws } from './from-aws.ts'

describe('awsDialect', () => {
  it.each([...eventFiles])('translates the event in %s into its AWS form', (_file, event) => {
    expect(awsDialect.event(fromAws(event))).toEqual(completeRecords(event))
  })

  it('translates both a whole trigger event and a bare response', () => {
    const event = { triggerSource: 'UserMigration_Authentication' }
    const answer = { response: { userAttributes: { 'cognito:x': '1' } } }
    const neutral = { response: { userAttributes: { 'pool:x': '1' } } }
    expect(awsDialect.result({ ...event, ...answer }, event)).toEqual({ ...event, ...neutral })
    expect(awsDialect.result(answer, event)).toEqual(neutral)
  })

  it('adds missing fields to an HTTP response, because they are optional on AWS', () => {
    const event = { requestContext: { elb: {} } }
    expect(awsDialect.result({ statusCode: 200 }, event)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
    })
  })

  it('leaves a missing result and the results of queue and mail handlers unchanged', () => {
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
