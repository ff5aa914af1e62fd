import type { QueuesSettings } from './config/queues-part.ts'
import { attributeBounds } from './store/queue-attributes.ts'
import type { QueueStore } from './store/queue-store.ts'

/**
 * Creates the configured queues of this platform and their dead-letter queues. An existing queue keeps its
 * messages and gets the configured attributes.
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
    // A dead letter can be as old as the retention period of its source queue, and people need time to find it.
    await store.createQueue(target, { retentionPeriod: attributeBounds.retentionPeriod[1] })
    there.add(target)
  }
}
