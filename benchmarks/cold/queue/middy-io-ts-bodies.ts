import middy, { type MiddlewareObj } from '@middy/core'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import { Order } from '../order/io-ts.ts'

interface Batch {
  readonly Records: readonly { readonly body: string }[]
}

export const handler = middy({ timeoutEarlyInMillis: 0 })
  .use(sqsPartialBatchFailure({ logger: () => undefined }) as MiddlewareObj<Batch>)
  .handler((event: Batch) =>
    Promise.allSettled(
      event.Records.map(async ({ body }) => {
        const order: unknown = JSON.parse(body)
        if (!Order.is(order) || order.items.length === 0) throw new Error('there is nothing to ship')
      }),
    ),
  )
