import { PgBoss } from 'pg-boss'
import type { Order } from './order.ts'
import { connections, drained, type QueueContender } from './queue-contender.ts'

/** pg-boss, which keeps completed jobs for seven days. */
export const pgBoss: QueueContender = {
  name: 'pg-boss',
  role: 'peer',
  async open(url) {
    const boss = new PgBoss({ connectionString: url, max: connections })
    boss.on('error', error => console.error(error))
    await boss.start()
    await boss.createQueue('orders')
    return {
      async send(orders) {
        await boss.insert(
          'orders',
          orders.map(data => ({ data })),
        )
      },
      drain: (count, batchSize) =>
        drained(count, async () => {
          const jobs = await boss.fetch<Order>('orders', { batchSize })
          if (jobs.length > 0)
            await boss.complete(
              'orders',
              jobs.map(({ id }) => id),
            )
          return jobs.map(({ data }) => data)
        }),
      close: () => boss.stop(),
    }
  },
}
