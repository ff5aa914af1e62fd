import type { Table } from '../harness/results.ts'
import { load } from './load.ts'
import { startServer } from './server.ts'

const steps = 10
const requests = 100_000
const allowed = 5_000_000

const exactly = (value: number) => ({ median: value, low: value, high: value })

/**
 * Measures the memory that the load balancer's process uses after each of ten rounds with a hundred thousand
 * requests.
 */
export async function memory(): Promise<Table> {
  const server = await startServer('signalbox', 'in-process')
  try {
    const used: { readonly used: number; readonly rss: number }[] = []
    for (let step = 0; step < steps; step++) {
      await load(server.url, { amount: requests })
      used.push(await server.usage('memory'))
    }
    const growth = used.at(-1)!.used - used[0]!.used
    return {
      name: 'load-balancer-memory',
      title: 'Platform: memory over a million requests',
      columns: [
        { key: 'used', title: 'used after garbage collection', unit: 'bytes' },
        { key: 'rss', title: 'resident', unit: 'bytes' },
      ],
      rows: used.map(({ used: still, rss }, step) => ({
        setup: `after ${((step + 1) * requests).toLocaleString('en')}`,
        contender: 'Signalbox, function in-process',
        role: 'ours',
        figures: { used: exactly(still), rss: exactly(rss) },
      })),
      goals: [
        {
          goal: 'from the first hundred thousand to the millionth request at most 5 MB more',
          figure: exactly(growth),
          unit: 'bytes',
          reached: growth <= allowed,
        },
      ],
    }
  } finally {
    await server.end()
  }
}
