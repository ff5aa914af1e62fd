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
  code: {
    node: `import { aws } from '@signalbox/aws'
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
    python: `import json


def handler(event, context):
    """Handles a batch of orders. Messages that fail are received again, the others are deleted."""
    failed = []
    for record in event['Records']:
        try:
            ship(json.loads(record['body']))
        except Exception as error:
            print(f"{record['messageId']}: {error!r}")
            failed.append({'itemIdentifier': record['messageId']})
    return {'batchItemFailures': failed}


def ship(order):
    if order['parcels'] < 1:
        raise ValueError(f"Order {order['order']} has no parcels.")
    print(f"Order {order['order']} has {order['parcels']} parcels.")
`,
    go: `package main

import (
	"context"
	"encoding/json"
	"fmt"

	"functions/signalbox"
)

type Batch struct {
	Records []struct {
		MessageID string \`json:"messageId"\`
		Body      string \`json:"body"\`
	}
}

type Failure struct {
	ItemIdentifier string \`json:"itemIdentifier"\`
}

type Answer struct {
	BatchItemFailures []Failure \`json:"batchItemFailures"\`
}

// handle handles a batch of orders. Messages that fail are received again, the others are deleted.
func handle(_ context.Context, batch Batch) (Answer, error) {
	failed := []Failure{}
	for _, record := range batch.Records {
		if err := ship(record.Body); err != nil {
			fmt.Printf("%s: %s\\n", record.MessageID, err)
			failed = append(failed, Failure{record.MessageID})
		}
	}
	return Answer{failed}, nil
}

func ship(body string) error {
	var order struct {
		Order   string
		Parcels int
	}
	if err := json.Unmarshal([]byte(body), &order); err != nil {
		return err
	}
	if order.Parcels < 1 {
		return fmt.Errorf("order %s has no parcels", order.Order)
	}
	fmt.Printf("Order %s has %d parcels.\\n", order.Order, order.Parcels)
	return nil
}

func main() { signalbox.Serve(handle) }
`,
    shell: `# Handles a batch of orders. Messages that fail are received again, the others are deleted.
handler() {
  jq -c '.Records[]' | while IFS= read -r record; do
    if ! jq -r .body <<<"$record" | ship; then
      jq -c '{ itemIdentifier: .messageId }' <<<"$record"
    fi
  done | jq -s '{ batchItemFailures: . }'
}

# Reads an order, and fails if it has no parcels.
ship() {
  jq -e -r 'if .parcels < 1 then false else "Order \\(.order) has \\(.parcels) parcels." end' >&2
}
`,
  },
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
