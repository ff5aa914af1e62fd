import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import type { Order } from './order.ts'
import { connections, type QueueContender } from './queue-contender.ts'

/** graphile-worker with the batch sizes that its documentation recommends for performance. */
export const graphileWorker: QueueContender = {
  name: 'graphile-worker',
  role: 'peer',
  async open(url) {
    const logger = new Logger(() => () => {})
    const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: connections, logger })
    return {
      async send(orders) {
        await utils.addJobs(orders.map(payload => ({ identifier: 'order', payload })))
      },
      async drain(count, batchSize) {
        const orders: Order[] = []
        let finish = () => {}
        const finished = new Promise<void>(resolve => {
          finish = resolve
        })
        const runner = await run({
          preset: {
            worker: {
              connectionString: url,
              maxPoolSize: connections + 1,
              concurrentJobs: 24,
              localQueue: { size: batchSize },
              completeJobBatchDelay: 0,
              failJobBatchDelay: 0,
              logger,
            },
          },
          noHandleSignals: true,
          taskList: {
            order(payload) {
              orders.push(payload as Order)
              if (orders.length === count) finish()
            },
          },
        })
        await finished
        // The runner completes the last batch before it stops.
        await runner.stop()
        return orders
      },
      async close() {
        await utils.release()
      },
    }
  },
}
