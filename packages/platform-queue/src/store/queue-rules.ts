import type { Tags } from './own-queue-store.ts'
import type { QueueAttributes, RedriveAllow } from './queue-attributes.ts'
import { differingAttribute } from './queue-attributes.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'

/** The shortest time in milliseconds between two purges of a queue. */
const purgeInterval = 60_000

/** The maximum number of messages of a queue in flight, as on AWS. */
export const inFlightLimits = { standard: 120_000, fifo: 20_000 } as const

/**
 * Milliseconds by which the turn of a message in a standard queue is later for each message of its group that waits before
 * it. Receivers get messages in the order of their turns. See docs/decisions/queues.md#fair-queues.
 */
export const turnInterval = 60_000

/** Returns the error for a queue that does not exist. */
export function queueNotFound(): QueueStoreError {
  return new QueueStoreError('QUEUE_NOT_FOUND', 'The specified queue does not exist.')
}

/**
 * Returns the error for creating a queue that exists with other attributes or tags. What the client does not name may
 * differ.
 */
export function existingQueueRefusal(
  existing: { readonly attributes: QueueAttributes; readonly tags: Tags },
  attributes: Partial<QueueAttributes>,
  tags: Tags,
): QueueStoreError | undefined {
  const differing = differingAttribute(existing.attributes, attributes)
  if (differing !== undefined) return exists(`a different value for attribute ${differing}`)
  const named = Object.entries(tags)
  const isSame =
    named.length === Object.keys(existing.tags).length &&
    named.every(([key, value]) => Object.hasOwn(existing.tags, key) && existing.tags[key] === value)
  return named.length === 0 || isSame ? undefined : exists('different tags')
}

function exists(difference: string): QueueStoreError {
  return new QueueStoreError('QUEUE_EXISTS', `A queue already exists with the same name and ${difference}`)
}

/**
 * Checks that a new dead-letter queue allows the queue to use it.
 * @param allowOf returns the RedriveAllowPolicy of a queue, or undefined for a missing queue
 * @throws QueueStoreError if the dead-letter queue does not allow it
 */
export function refuseDeniedDeadLetter(
  name: string,
  before: QueueAttributes,
  { deadLetter }: Partial<QueueAttributes>,
  allowOf: (queue: string) => RedriveAllow | undefined,
): void {
  if (deadLetter === undefined || deadLetter.queue === before.deadLetter?.queue) return
  const allow = allowOf(deadLetter.queue)
  if (allow === undefined || allow.permission === 'allowAll') return
  if (allow.permission === 'byQueue' && allow.queues.includes(name)) return
  throw invalidValue(
    deadLetter.queue,
    'RedrivePolicy',
    `Its RedriveAllowPolicy does not allow ${name} to use it as a dead-letter queue.`,
  )
}

/**
 * Refuses a purge that comes too soon after the last purge.
 * @throws QueueStoreError
 */
export function refuseEarlyPurge(name: string, purgedAt: number | null, now: number): void {
  // The difference is negative if the clock was set back.
  const passed = now - (purgedAt ?? Number.NEGATIVE_INFINITY)
  if (passed < 0 || passed >= purgeInterval) return
  throw new QueueStoreError(
    'PURGE_IN_PROGRESS',
    `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
  )
}

/** Returns the error for a queue with too many messages in flight. */
export function overLimit(name: string): QueueStoreError {
  return new QueueStoreError(
    'OVER_LIMIT',
    `Too many messages of ${name} are in flight: ${inFlightLimits.standard}.`,
  )
}
