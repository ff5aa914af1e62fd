import { systemClock } from '@signalbox/core'
import { postgresEngine } from '@signalbox/platform-postgres'
import { queueStorage } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Order } from './order.ts'
import { connections, drained, type QueueContender } from './queue-contender.ts'

/** Opens the queue store of a platform without starting the platform. */
export async function openQueues(url: string, schema: string) {
  const engine = await postgresEngine({ url, schema, connections }, { clock: undefined })
  const store = await engine.opener(queueStorage)({
    clock: systemClock,
    random: systemRandom,
    notice: text => console.error(text),
  })
  return {
    store,
    async close() {
      await store.close()
      await engine.close()
    },
  }
}

/** The queues of the platform. */
export const signalbox: QueueContender = {
  name: 'Signalbox',
  role: 'ours',
  async open(url) {
    const { store, close } = await openQueues(url, 'signalbox')
    await store.createQueue('orders')
    return {
      async send(orders) {
        const answers = await store.send(
          'orders',
          orders.map(order => ({ body: JSON.stringify(order) })),
        )
        const refused = answers.find(answer => answer instanceof Error)
        if (refused !== undefined) throw refused
      },
      drain: (count, batchSize) =>
        drained(count, async () => {
          const messages = await store.receive('orders', { max: batchSize, wait: 0 })
          if (messages.length > 0)
            await store.deleteMessages(
              'orders',
              messages.map(({ receiptHandle }) => receiptHandle),
            )
          return messages.map(({ body }) => JSON.parse(body) as Order)
        }),
      close,
    }
  },
}
