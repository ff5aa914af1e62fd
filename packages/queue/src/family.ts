import { compile } from '@signalbox/codec'
import { type Family, notAnAnswer } from '@signalbox/core'
import { QueueEnvelope, QueueEvent } from './contract/event.ts'
import { eventSource } from './contract/record.ts'
import { normalizeBatch } from './normalize.ts'

/** The family of queue batches: docs/contract/queue.md#event. */
export const queueFamily = notAnAnswer('a family', {
  name: 'queue',
  recognizes: isBatch,
  keys: ['Records'],
  // A batch has no correlation id: each message has its own.
  correlationId: () => undefined,
  event: QueueEvent,
  normalize: normalizeBatch,
} as const satisfies Family)

/** Whether all records of a batch have an id, so that a response can name them. */
export const isEnvelope = compile(QueueEnvelope)

/** Other services send `Records` too, and name themselves in `eventSource`. */
function isBatch(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  const { Records: records } = event as { Records?: unknown }
  if (!Array.isArray(records)) return false
  for (const record of records as readonly ({ eventSource?: unknown } | null | undefined)[]) {
    const source = record?.eventSource
    if (source !== undefined && source !== null && source !== eventSource) return false
  }
  return true
}
