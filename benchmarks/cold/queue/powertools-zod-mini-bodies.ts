import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import * as z from 'zod/mini'

const Order = z.object({
  id: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
})
const processor = new BatchProcessor(EventType.SQS)

export const handler = async (event: never, context: never) =>
  processPartialResponse(
    event,
    (record: { readonly body: string }) => {
      const order = z.parse(Order, JSON.parse(record.body))
      if (order.items.length === 0) throw new Error('there is nothing to ship')
    },
    processor,
    { context, throwOnFullBatchFailure: false },
  )
