import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { fifoEvent, queueEvent } from '@signalbox/queue/testing'
import type { SQSEvent } from 'aws-lambda'
import { aws } from '../aws.ts'
import { awsEvent } from './index.ts'

describe('awsEvent()', () => {
  it('gives a batch the names and the resource name of SQS', () => {
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

  it('only renames fields in events of other families', () => {
    const trigger = { triggerSource: 'x', callerContext: { cloudSdkVersion: '1', clientId: 'c' } }
    expect(awsEvent(trigger)).toEqual({
      triggerSource: 'x',
      callerContext: { awsSdkVersion: '1', clientId: 'c' },
    })
    expect(awsEvent({ Records: [{ eventSourceARN: 7 }] })).toEqual({ Records: [{ eventSourceARN: 7 }] })
  })

  it('builds events for the handler that aws() returns', async () => {
    const bodies: string[] = []
    const handler = aws(signalbox(queue({ onMessage: ({ body }) => void bodies.push(body) })))
    expect(await handler(awsEvent(fifoEvent([['a', '1']])))).toEqual({ batchItemFailures: [] })
    expect(bodies).toEqual(['1'])
  })
})

describe('an event of AWS without aws()', () => {
  it('is refused by signalbox(), which says to wrap the handler', async () => {
    const handler = signalbox(queue({ onMessage: () => undefined }))
    await expect(handler(awsEvent(queueEvent({ bodies: ['a'] })) as never)).rejects.toThrow(
      'The event is from AWS SQS: wrap the handler in aws() of @signalbox/aws.',
    )
  })
})

describe('the context of a message', () => {
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
