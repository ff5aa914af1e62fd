import middy, { type MiddlewareObj } from '@middy/core'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import { Ajv } from 'ajv'

interface Batch {
  readonly Records: readonly { readonly body: string }[]
}
interface Order {
  readonly id: string
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
}

const isOrder = new Ajv().compile<Order>({
  type: 'object',
  required: ['id', 'items'],
  properties: {
    id: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      },
    },
  },
})

export const handler = middy({ timeoutEarlyInMillis: 0 })
  .use(sqsPartialBatchFailure({ logger: () => undefined }) as MiddlewareObj<Batch>)
  .handler((event: Batch) =>
    Promise.allSettled(
      event.Records.map(async ({ body }) => {
        const order: unknown = JSON.parse(body)
        if (!isOrder(order) || order.items.length === 0) throw new Error('there is nothing to ship')
      }),
    ),
  )
