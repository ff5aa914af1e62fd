import type { PlatformFamily } from '@signalbox/platform-runtime'
import { queueFamily } from '@signalbox/queue'
import { batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import { batchConclusion } from './poller/batch-conclusion.ts'

/** What the platform reads about queue batches. Contract B. */
export const queueEvents: PlatformFamily = {
  ...queueFamily,
  conclude: (payload, event: QueueEvent) => batchConclusion(batchVerdict(payload, event)),
  summarize: ({ Records: records }) => {
    const count = Array.isArray(records) ? records.length : 0
    return count === 1 ? '1 message' : `${count} messages`
  },
  samples: {
    queue: async () =>
      (await import('@signalbox/queue/testing')).queueEvent({
        bodies: [
          { id: '7', amount: 2 },
          { id: '8', amount: 1 },
        ],
      }),
    'queue-fifo': async () =>
      (await import('@signalbox/queue/testing')).fifoEvent([
        ['customer-1', { id: '7', amount: 2 }],
        ['customer-2', { id: '8', amount: 1 }],
      ]),
  },
}
