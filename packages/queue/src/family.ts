import { compile } from '@signalbox/codec'
import { type Family, notAnAnswer } from '@signalbox/core'
import { QueueEnvelope, QueueEvent } from './contract/event.ts'
import { eventSource } from './contract/record.ts'
import { normalizeBatch } from './normalize.ts'

/** Batches of queue messages (contract B). */
export const queueFamily = notAnAnswer('a family', {
  name: 'queue',
  recognizes: isBatch,
  keys: ['Records'],
  // A batch has none: each message has its own.
  correlationId: () => undefined,
  event: QueueEvent,
  normalize: normalizeBatch,
} as const satisfies Family)

/** Whether a batch can be answered for: all its records can be named. */
export const isEnvelope = compile(QueueEnvelope)

/** Other services send `Records` too, but say in them that they are another source. */
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
