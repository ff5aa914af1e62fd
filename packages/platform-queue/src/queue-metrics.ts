import { boundedNames, type Metric } from '@signalbox/platform-runtime'
import type { QueuesSettings } from './config/queues-part.ts'
import type { OwnQueueStore, QueueReport } from './store/own-queue-store.ts'

/** The number of queues with series of their own. */
const mostQueues = 30

/**
 * Reads the metrics of the platform's own queues. Queues that clients have created are `other`, because clients choose their
 * names.
 */
export async function queueMetrics(
  { queues }: QueuesSettings,
  store: Pick<OwnQueueStore, 'reports'>,
): Promise<readonly Metric[]> {
  const own = queues.filter(({ engine }) => engine === undefined).map(({ name }) => name)
  const nameOf = boundedNames(own, mostQueues)
  const byName = new Map<string, QueueReport>()
  for (const report of await store.reports()) {
    const name = nameOf(report.name)
    byName.set(name, sum(report, byName.get(name)))
  }
  const all = [...byName]
  return [
    {
      ...{ name: 'signalbox_queue_messages', type: 'gauge' },
      help: 'Messages by queue and state: visible, in_flight or delayed.',
      samples: all.flatMap(([queue, { visible, inFlight, delayed }]) => [
        { labels: { queue, state: 'visible' }, value: visible },
        { labels: { queue, state: 'in_flight' }, value: inFlight },
        { labels: { queue, state: 'delayed' }, value: delayed },
      ]),
    },
    {
      ...{ name: 'signalbox_queue_oldest_message_age_seconds', type: 'gauge' },
      help: 'Age of the oldest message by queue in seconds, 0 without messages.',
      samples: all.map(([queue, { oldestAge = 0 }]) => ({ labels: { queue }, value: oldestAge / 1000 })),
    },
  ]
}

function sum(one: QueueReport, next: QueueReport | undefined): QueueReport {
  if (next === undefined) return one
  return {
    ...one,
    visible: one.visible + next.visible,
    inFlight: one.inFlight + next.inFlight,
    delayed: one.delayed + next.delayed,
    oldestAge: Math.max(one.oldestAge ?? 0, next.oldestAge ?? 0),
  }
}
