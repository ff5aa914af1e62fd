import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { get, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { userPool } from '@signalbox/user-pool'
import { preSignUpEvent, tokenGenerationEvent } from '@signalbox/user-pool/testing'
import type {
  ALBHandler,
  PreSignUpTriggerHandler,
  PreTokenGenerationTriggerHandler,
  SQSHandler,
  SQSRecord,
} from 'aws-lambda'
import { aws, awsRecord, awsRoute } from './index.ts'
import { awsEvent } from './testing/index.ts'

describe('awsRoute()', () => {
  it('runs a handler of a trigger that reads and answers the names of AWS', async () => {
    const seen: unknown[] = []
    const old: PreTokenGenerationTriggerHandler = async event => {
      const { groupConfiguration, userAttributes } = event.request
      seen.push(event.callerContext.awsSdkVersion, userAttributes['cognito:user_status'])
      event.response = { claimsOverrideDetails: { groupOverrideDetails: groupConfiguration } }
      return event
    }
    const event = awsEvent(
      tokenGenerationEvent({
        userAttributes: { sub: 's', 'pool:user_status': 'CONFIRMED' },
        groupConfiguration: { groupsToOverride: ['g'], accessRolesToOverride: ['r'], preferredRole: 'r' },
      }),
    )
    const answered = await aws(signalbox(userPool({ TokenGeneration: awsRoute(old) })))(event)
    expect(seen).toEqual([event.callerContext.awsSdkVersion, 'CONFIRMED'])
    expect(answered).toMatchObject({
      request: event.request,
      response: { claimsOverrideDetails: { groupOverrideDetails: { iamRolesToOverride: ['r'] } } },
    })
  })

  it('runs a handler that answers through its callback, or fails through it', async () => {
    const run = (old: PreSignUpTriggerHandler) =>
      signalbox(userPool({ PreSignUp: awsRoute(old) }))(preSignUpEvent())
    const later = run((event, _context, callback) => {
      event.response.autoConfirmUser = true
      setImmediate(() => callback(null, event))
    })
    expect(await later).toMatchObject({ response: { autoConfirmUser: true } })
    await expect(run((_event, _context, callback) => callback('no'))).rejects.toThrow('no')
    const thrown = run(() => {
      throw new Error('thrown')
    })
    await expect(thrown).rejects.toThrow('thrown')
    const filled = run(async event => {
      event.response.autoVerifyEmail = true
      return undefined as never
    })
    expect(await filled).toMatchObject({ response: { autoVerifyEmail: true } })
  })

  it('runs a handler of batches for each message, and fails the messages that it reports', async () => {
    const sources: string[] = []
    const old: SQSHandler = async ({ Records: [record] }) => {
      sources.push(record!.eventSource, record!.awsRegion)
      const failed = record!.body === 'bad' ? [{ itemIdentifier: record!.messageId }] : []
      return { batchItemFailures: failed }
    }
    const event = awsEvent(queueEvent({ bodies: ['good', 'bad'] }))
    const response = await aws(signalbox(queue({ log: false, onMessage: awsRoute(old) })))(event)
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }] })
    expect(new Set(sources)).toEqual(new Set(['aws:sqs', event.Records[0]!.awsRegion]))
  })

  it('runs a handler of requests', async () => {
    const old: ALBHandler = async ({ headers, path }) => ({
      statusCode: 200,
      headers: { 'x-a': true, 'x-b': 1 },
      body: `${path} ${headers?.['x-amzn-trace-id']}`,
    })
    const event = awsEvent(httpEvent('GET', '/a', { headers: { 'x-cloud-trace-id': 'Root=1' } }))
    expect(await aws(signalbox(loadBalancer([get('/a', awsRoute(old))])))(event)).toMatchObject({
      statusCode: 200,
      headers: { 'x-a': 'true', 'x-b': '1' },
      body: '/a Root=1',
    })
  })
})

it('awsRecord() returns the record of a message as AWS sends it', async () => {
  const seen: SQSRecord[] = []
  const event = awsEvent(queueEvent({ bodies: ['a'] }))
  const keep = (record: SQSRecord) => void seen.push(record)
  await aws(signalbox(queue({ onMessage: ({ record }) => keep(awsRecord(record)) })))(structuredClone(event))
  expect(seen).toEqual(event.Records)
})
