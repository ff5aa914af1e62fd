import assert from 'node:assert/strict'
import {
  aws,
  awsDialect,
  awsRecord,
  awsRoute,
  balancerKeys,
  fromAws,
  sesMail,
  sesRecord,
  toAws,
  UnsupportedDecisionError,
} from '@signalbox/aws'
import { awsEvent, sesEvent } from '@signalbox/aws/testing'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { queueEvent, queueRecord } from '@signalbox/queue/testing'
import { claims, userPool } from '@signalbox/user-pool'
import { tokenGenerationEvent } from '@signalbox/user-pool/testing'
import type { Features } from '../features.ts'

/** The features in the README of `@signalbox/aws`. */
export const features: Features = {
  async 'aws() around a handler of all families'() {
    const handler = aws(
      signalbox(
        userPool({
          TokenGeneration: event =>
            claims()
              .suppress('pool:roles' as never)
              .for(event),
        }),
        queue({ onMessage: ({ context }) => assert.equal(context.awsRequestId, 'r1') }),
        mailFlow((_mail, actions) => actions.drop()),
        loadBalancer([get('/', ({ correlationId }) => json(correlationId ?? null))]),
      ),
    ) as (event: unknown, context: unknown) => Promise<unknown>
    const run = async (event: unknown) => JSON.stringify(await handler(event, { awsRequestId: 'r1' }))
    assert.match(await run(awsEvent(tokenGenerationEvent())), /"claimsToSuppress":\["cognito:roles"\]/)
    assert.equal(await run(awsEvent(queueEvent({ bodies: ['a'] }))), '{"batchItemFailures":[]}')
    assert.match(await run(awsEvent(mailEvent())), /DROP/)
    assert.match(await run(awsEvent(httpEvent('GET', '/'))), /"statusCode":200.*Root=/)
  },
  'fromAws(), toAws() and awsDialect'() {
    const neutral = queueEvent({ bodies: ['a'] })
    const event = awsEvent(neutral)
    assert.match(JSON.stringify(fromAws(event)), /"eventSource":"cloud:queue"/)
    assert.deepEqual(toAws(fromAws(event), event), event)
    assert.ok(awsDialect)
  },
  'the names of AWS and the neutral names'() {
    const attributes = { CloudTraceHeader: 'Root=1' }
    const batch = awsEvent({ Records: [queueRecord('a', { attributes } as never)] })
    assert.match(JSON.stringify(batch), /"awsRegion".*"AWSTraceHeader"/)
    assert.match(JSON.stringify(fromAws(batch)), /"cloudRegion".*"CloudTraceHeader"/)
    const groupConfiguration = { groupsToOverride: [], accessRolesToOverride: ['r'], preferredRole: 'r' }
    const trigger = awsEvent(tokenGenerationEvent({ groupConfiguration } as never))
    assert.match(JSON.stringify(trigger), /"awsSdkVersion".*"iamRolesToOverride"/)
    assert.match(JSON.stringify(fromAws(trigger)), /"cloudSdkVersion".*"accessRolesToOverride"/)
    const old = { ...trigger, callerContext: { awsSdk: '1', clientId: 'web' } }
    assert.match(JSON.stringify(fromAws(old)), /"cloudSdk":/)
  },
  async 'awsRoute() and awsRecord()'() {
    const seen: unknown[] = []
    const ship = (event: { Records: readonly { eventSource: string }[] }) =>
      void seen.push(event.Records[0]!.eventSource)
    await signalbox(queue({ onMessage: awsRoute(ship as never) }))(queueEvent({ bodies: ['a'] }))
    await signalbox(queue({ onMessage: ({ record }) => void seen.push(awsRecord(record).eventSource) }))(
      queueEvent({ bodies: ['a'] }),
    )
    assert.deepEqual(seen, ['aws:sqs', 'aws:sqs'])
  },
  async 'sesMail() and sesRecord()'() {
    const statuses: unknown[] = []
    const bounces: unknown[] = []
    const mailroom = signalbox(
      mailFlow((mail, actions) => {
        statuses.push(sesRecord(mail)?.ses.receipt.spamVerdict.status)
        return actions.bounce('No')
      }),
    )
    const event = sesEvent(mailEvent(), {
      messageId: 'm1',
      invocationType: 'RequestResponse',
      spam: 'FAIL',
      virus: 'PASS',
    })
    const handler = aws(sesMail(mailroom, { sendBounce: bounce => bounces.push(bounce.messageId) }))
    assert.deepEqual(await handler(event), { disposition: 'STOP_RULE_SET' })
    assert.deepEqual([statuses, bounces], [['FAIL'], ['m1']])
    await assert.rejects(sesMail(mailroom)(event), UnsupportedDecisionError)
  },
  'balancerKeys()'() {
    const signer =
      'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
    assert.equal(balancerKeys(signer)('k'), 'https://public-keys.auth.elb.eu-central-1.amazonaws.com/k')
  },
}
