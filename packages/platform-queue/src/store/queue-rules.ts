import type { QueueAttributes, RedriveAllow } from './queue-attributes.ts'
import { differingAttribute } from './queue-attributes.ts'
import { invalidValue, QueueStoreError } from './queue-store-error.ts'

/** The shortest time in milliseconds between two purges of a queue. */
const purgeInterval = 60_000

/** The maximum number of messages of a queue in flight, as on AWS. */
export const inFlightLimits = { standard: 120_000, fifo: 20_000 } as const

export function queueNotFound(): QueueStoreError {
  return new QueueStoreError('QUEUE_NOT_FOUND', 'The specified queue does not exist.')
}

/**
 * Returns the error for creating a queue that exists with other attributes. Returns undefined if the attributes are
 * the same.
 */
export function existingQueueRefusal(
  existing: QueueAttributes,
  wanted: Partial<QueueAttributes>,
): QueueStoreError | undefined {
  const differing = differingAttribute(existing, wanted)
  if (differing === undefined) return undefined
  return new QueueStoreError(
    'QUEUE_EXISTS',
    `A queue already exists with the same name and a different value for attribute ${differing}`,
  )
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

export function overLimit(name: string): QueueStoreError {
  return new QueueStoreError(
    'OVER_LIMIT',
    `Too many messages of ${name} are in flight: ${inFlightLimits.standard}.`,
  )
}
