import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { Order } from '../order/zod.ts'

const processor = new BatchProcessor(EventType.SQS)

export const handler = async (event: never, context: never) =>
  processPartialResponse(
    event,
    (record: { readonly body: string }) => {
      const order = Order.parse(JSON.parse(record.body))
      if (order.items.length === 0) throw new Error('there is nothing to ship')
    },
    processor,
    { context, throwOnFullBatchFailure: false },
  )
