import { type PlatformFamily, payloadProblems, type Verdict } from '@signalbox/platform-runtime'
import { BatchResponse, type BatchVerdict, batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import { queueFamily } from '@signalbox/queue/family'

/** The functions with which the platform handles batches of queue messages. See docs/contract/queue.md. */
export const queueEvents: PlatformFamily = {
  ...queueFamily,
  verdict: (payload, event: QueueEvent) => describeBatchVerdict(batchVerdict(payload, event)),
  problems: payload => payloadProblems(BatchResponse, payload),
  summarize: ({ Records: records }) => {
    if (!Array.isArray(records)) return '0 messages'
    const count = records.length === 1 ? '1 message' : `${records.length} messages`
    const queue = queueOfRecord(records[0])
    return queue === undefined ? count : `${count} of ${queue}`
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

/** Returns the name of the queue, which is the last part of the event source ARN of any provider. */
function queueOfRecord(record: unknown): string | undefined {
  const { eventSourceARN: name } = (record ?? {}) as { readonly eventSourceARN?: unknown }
  return typeof name === 'string' ? name.split(':').at(-1) : undefined
}

/** Describes the verdict on a batch for people and programs. */
export function describeBatchVerdict({ kind, ...verdict }: BatchVerdict): Omit<Verdict, 'family'> {
  const text =
    'failed' in verdict ? `partial: ${verdict.failed.join(', ')} failed` : `${kind}: ${verdict.why}`
  return { kind, ok: kind !== 'failure', text }
}
