import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { get, loadBalancer, noContent } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { fifoEvent, queueEvent } from '@signalbox/queue/testing'
import { userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import type { SQSEvent } from 'aws-lambda'
import { aws } from '../aws.ts'
import { awsEvent } from './index.ts'

describe('awsEvent()', () => {
  it('builds a batch with SQS field names and an SQS ARN', () => {
    const event: SQSEvent = awsEvent(queueEvent({ bodies: ['a'] }))
    expect(event.Records).toMatchObject([
      {
        eventSource: 'aws:sqs',
        awsRegion: 'eu-central-1',
        eventSourceARN: expect.stringMatching(/^arn:aws:sqs:/),
      },
    ])
    expect(event.Records[0]).not.toHaveProperty('cloudRegion')
  })

  it('changes only field names in events that are not queue batches', () => {
    const trigger = { triggerSource: 'x', callerContext: { cloudSdkVersion: '1', clientId: 'c' } }
    expect(awsEvent(trigger)).toEqual({
      triggerSource: 'x',
      callerContext: { awsSdkVersion: '1', clientId: 'c' },
    })
    expect(awsEvent({ Records: [{ eventSourceARN: 7 }] })).toEqual({ Records: [{ eventSourceARN: 7 }] })
  })

  it('builds events that a handler returned by aws() accepts', async () => {
    const bodies: string[] = []
    const handler = aws(signalbox(queue({ onMessage: ({ body }) => void bodies.push(body) })))
    expect(await handler(awsEvent(fifoEvent([['a', '1']])))).toEqual({ batchItemFailures: [] })
    expect(bodies).toEqual(['1'])
  })
})

describe('an AWS event in a handler without aws()', () => {
  it.each([
    [
      'a warning for a Cognito trigger',
      'The event is from AWS Cognito: wrap the handler in aws() of @signalbox/aws, or names such as cognito:user_status stay as they are.',
      preSignUpEvent(),
    ],
    [
      'a warning for a request',
      'The event is from a load balancer of AWS: wrap the handler in aws() of @signalbox/aws, or the trace id is not read.',
      httpEvent('GET', '/'),
    ],
    [
      'a warning for a request with multi-value headers',
      'The event is from a load balancer of AWS: wrap the handler in aws() of @signalbox/aws, or the trace id is not read.',
      httpEvent('GET', '/', { multiValue: true }),
    ],
    ['no warning for a mail', undefined, mailEvent()],
  ])('causes %s', async (_case, sentence, event) => {
    const plugins = [
      userPool({ PreSignUp: () => ({}) }),
      loadBalancer([get('/', () => noContent())]),
      mailFlow((_mail, actions) => actions.default()),
    ] as const
    const warnings: unknown[] = []
    const { warn } = console
    console.warn = (text: unknown) => warnings.push(text)
    try {
      await signalbox(...plugins)(awsEvent(event))
      expect(warnings).toEqual(sentence === undefined ? [] : [sentence])
      await aws(signalbox(...plugins))(awsEvent(event) as never)
      await signalbox(...plugins)(event)
      expect(warnings).toHaveLength(sentence === undefined ? 0 : 1)
    } finally {
      console.warn = warn
    }
  })

  it('is refused if it is an SQS batch, and the error advises to wrap the handler in aws()', async () => {
    const handler = signalbox(queue({ onMessage: () => undefined }))
    await expect(handler(awsEvent(queueEvent({ bodies: ['a'] })) as never)).rejects.toThrow(
      'The event is from AWS SQS: wrap the handler in aws() of @signalbox/aws.',
    )
  })
})

describe('the context passed to onMessage', () => {
  it('has awsRequestId and invokedFunctionArn', async () => {
    const seen: unknown[] = []
    const handler = aws(
      signalbox(
        queue({
          onMessage: ({ context }) => void seen.push([context.awsRequestId, context.invokedFunctionArn]),
        }),
      ),
    )
    const context = { awsRequestId: 'r-1', invokedFunctionArn: 'arn:aws:lambda:eu-central-1:1:function:f' }
    await handler(awsEvent(queueEvent({ bodies: ['a'] })), context)
    expect(seen).toEqual([['r-1', 'arn:aws:lambda:eu-central-1:1:function:f']])
  })
})
