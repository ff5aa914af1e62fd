import type { Starter } from '@signalbox/platform-runtime'

/** The parts of a new queue project, with a function that handles orders from a queue. */
export const queueStarter: Starter = {
  family: 'queue',
  calledBy: 'batches of messages from an SQS queue',
  functionName: 'orders',
  packages: ['@signalbox/codec', '@signalbox/queue', 'io-ts'],
  config: `  queues: {
    orders: {
      function: 'orders',
      reportBatchItemFailures: true,
      deadLetter: { queue: 'orders-dead', maxReceiveCount: 3 },
    },
  },
`,
  code: `import { aws } from '@signalbox/aws'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import * as t from 'io-ts'

const Order = t.type({ order: t.string, parcels: t.number })

export const handler = aws(
  signalbox(
    queue({
      body: fromJson(Order),
      onMessage({ body }) {
        if (body.parcels < 1) throw new Error(\`Order \${body.order} has no parcels.\`)
        console.log(\`Order \${body.order} has \${body.parcels} parcels.\`)
      },
    }),
  ),
)
`,
  test: ({ imports, equal }) => `${imports}
import { awsEvent } from '@signalbox/aws/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { handler } from './orders.ts'

test('an order with parcels succeeds, and one without is received again', async () => {
  const event = queueEvent({ bodies: [{ order: '7', parcels: 2 }, { order: '8', parcels: 0 }] })
  const failed = event.Records[1]?.messageId
  const answer = await handler(awsEvent(event))
  ${equal('answer', '{ batchItemFailures: [{ itemIdentifier: failed }] }')}
})
`,
  tries: `npx signalbox send orders '{"order":"7","parcels":2}'
npx signalbox queues`,
  timeout: 30,
  events: `      Events:
        Orders:
          Type: SQS
          Properties:
            Queue: !GetAtt OrdersQueue.Arn
            BatchSize: 10
            FunctionResponseTypes: [ReportBatchItemFailures]
`,
  resources: `  OrdersQueue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 180
      RedrivePolicy:
        deadLetterTargetArn: !GetAtt OrdersDead.Arn
        maxReceiveCount: 3
  OrdersDead:
    Type: AWS::SQS::Queue
`,
}
