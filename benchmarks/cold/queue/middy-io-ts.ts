import middy, { type MiddlewareObj } from '@middy/core'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import type { WireRecord } from '../../contenders/queue-record/by-hand.ts'
import { IoTsRecord } from '../../contenders/queue-record/io-ts.ts'
import { Order } from '../order/io-ts.ts'

interface Batch {
  readonly Records: readonly WireRecord[]
}

export const handler = middy({ timeoutEarlyInMillis: 0 })
  .use(sqsPartialBatchFailure({ logger: () => undefined }) as MiddlewareObj<Batch>)
  .handler((event: Batch) =>
    Promise.allSettled(
      event.Records.map(async record => {
        if (!IoTsRecord.is(record)) throw new Error('the record is not valid')
        const order: unknown = JSON.parse(record.body)
        if (!Order.is(order) || order.items.length === 0) throw new Error('there is nothing to ship')
      }),
    ),
  )
