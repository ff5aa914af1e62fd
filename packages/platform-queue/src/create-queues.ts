import type { QueuesSettings } from './config/queues-part.ts'
import { attributeBounds } from './store/queue-attributes.ts'
import type { QueueStore } from './store/queue-store.ts'

/**
 * Makes the queues of a configuration that no other engine keeps, and the dead-letter queues that they name. A queue
 * that is there keeps its messages, and gets the attributes that it should have.
 */
export async function createQueues(configured: QueuesSettings['queues'], store: QueueStore): Promise<void> {
  const queues = configured.filter(({ engine }) => engine === undefined)
  const there = new Set(await store.queueNames())
  for (const { name, attributes } of queues) {
    if (there.has(name)) await store.setAttributes(name, attributes)
    else await store.createQueue(name, attributes)
    there.add(name)
  }
  for (const { attributes } of queues) {
    const target = attributes.deadLetter?.queue
    if (target === undefined || there.has(target)) continue
    // What is given up may be as old as its own queue keeps it, and somebody has to find it in time.
    await store.createQueue(target, { retentionPeriod: attributeBounds.retentionPeriod[1] })
    there.add(target)
  }
}
