import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import * as v from 'valibot'
import { Order } from '../order/valibot.ts'

const processor = new BatchProcessor(EventType.SQS)

export const handler = async (event: never, context: never) =>
  processPartialResponse(
    event,
    (record: { readonly body: string }) => {
      const order = v.parse(Order, JSON.parse(record.body))
      if (order.items.length === 0) throw new Error('there is nothing to ship')
    },
    processor,
    { context, throwOnFullBatchFailure: false },
  )
