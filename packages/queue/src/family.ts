import type { Problem } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { type Family, notAnAnswer } from '@signalbox/core/base'
import type { QueueEnvelope } from './contract/event.ts'
import { eventSource } from './contract/limits.ts'
import { readyEnvelope, readyEvent } from './contract/ready.ts'
import { normalizeBatch } from './normalize.ts'

/** The name of the family in messages. */
export const familyName = 'queue'

/** The family of queue batches. See docs/contract/queue.md#event. */
export const queueFamily = /* @__PURE__ */ notAnAnswer('a family', {
  name: familyName,
  recognizes: isBatch,
  keys: ['Records'],
  // A batch has no correlation id, because each message has its own.
  correlationId: () => undefined,
  ...(process.env.NODE_ENV !== 'production' && {
    hint,
    identifiedBy: "the eventSource of a record, which is 'cloud:queue',",
  }),
  event: readyEvent,
  normalize: normalizeBatch,
} as const satisfies Family)

/**
 * Returns whether all records of a batch have an id, so that a response can name them.
 * @example
 * ```ts
 * import { isEnvelope } from '@signalbox/queue/family'
 * import { queueEvent } from '@signalbox/queue/testing'
 *
 * isEnvelope(queueEvent({ bodies: ['a'] })) // true
 * isEnvelope({ Records: [{ body: 'a' }] }) // false
 * ```
 */
export function isEnvelope(event: unknown): event is QueueEnvelope {
  return readyEnvelope.is(event)
}

/**
 * Returns the problems of an event that is not a batch or has a record without an id. Returns null if there are none.
 * @example
 * ```ts
 * import { refusedEnvelope } from '@signalbox/queue/family'
 *
 * refusedEnvelope({ Records: [] }) // null
 * refusedEnvelope({ Records: [{ body: 'a' }] })?.[0]?.pointer // '/Records/0/messageId'
 * ```
 */
export function refusedEnvelope(event: unknown): readonly Problem[] | null {
  return refusalsOfReady(readyEnvelope, event)
}

type MaybeRecord = { readonly eventSource?: unknown; readonly EventSource?: unknown } | null | undefined
type MaybeBatch = { readonly Records?: unknown } | null | undefined

/**
 * Checks the source of every record, because other services also send `Records`. The name of a service is in
 * `eventSource` or, for SNS, in `EventSource`.
 */
function isBatch(event: unknown): boolean {
  const records = (event as MaybeBatch)?.Records
  if (!Array.isArray(records)) return false
  for (const record of records as readonly MaybeRecord[])
    if ((record?.eventSource ?? record?.EventSource ?? eventSource) !== eventSource) return false
  return true
}

function isRecord(value: unknown): boolean {
  const { messageId, receiptHandle } = Object(value) as { messageId?: unknown; receiptHandle?: unknown }
  return typeof messageId === 'string' && typeof receiptHandle === 'string'
}

/**
 * Returns a hint for records without the envelope of a batch, as pipes send them, and for an event that still has AWS
 * names, because no dialect has translated it.
 */
function hint(event: unknown): string | undefined {
  const [first] = Array.isArray(event) ? event : [event]
  if (isRecord(first))
    return first === event
      ? 'The event is one record of a batch without its envelope: call the handler with { Records: [event] }.'
      : 'The event is the list of records of a batch without its envelope: call the handler with { Records: event }.'
  const records = (event as MaybeBatch)?.Records
  if (!Array.isArray(records)) return undefined
  const sources = records.map((record: MaybeRecord) => record?.eventSource ?? record?.EventSource)
  if (sources.includes('aws:sqs'))
    return 'The event is from AWS SQS: wrap the handler in aws() of @signalbox/aws.'
  const other = sources.find(source => typeof source === 'string' && /^aws:\w+$/.test(source))
  return other === undefined ? undefined : `The event is from ${other}, not from a queue.`
}
