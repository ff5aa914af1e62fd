import { InvalidOptionError } from '@signalbox/core'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import { UnknownMessageError } from '../errors.ts'
import { groupOf, isFifo } from './fifo.ts'

export type Records = QueueEnvelope['Records']

/**
 * Returns the records of a batch.
 * @throws InvalidOptionError for an event that is not a batch
 */
export function recordsOf(event: QueueEnvelope): Records {
  const records = event?.Records
  if (!Array.isArray(records))
    throw new InvalidOptionError('failureCollector() expects the event of a batch, with Records')
  return records
}

export function idsOf(records: Records): ReadonlySet<string> {
  return new Set(records.map(({ messageId }) => messageId))
}

/** Returns the error for an id that is not in the batch. */
export function unknownMessage(id: string): UnknownMessageError {
  return new UnknownMessageError(
    `The batch has no message ${JSON.stringify(id)}. Reporting it would fail the whole batch.`,
  )
}

/**
 * Returns the response for a batch in which the messages with these ids failed: each id once, in the order of the batch.
 * For a FIFO queue, it includes all later messages of their groups. Otherwise the platform would delete these messages,
 * and the group would be out of order when the failed message is redelivered.
 */
export function responseOfFailed(
  records: Records,
  ids: { readonly size: number; has(id: string): boolean },
): BatchResponse {
  if (ids.size === 0) return { batchItemFailures: [] }
  const isInOrder = isFifo(records)
  const listed = new Set<string>()
  const stopped = new Set<string | undefined>()
  for (const record of records) {
    const isStopped = isInOrder && stopped.has(groupOf(record))
    if (!isStopped && !ids.has(record.messageId)) continue
    listed.add(record.messageId)
    stopped.add(groupOf(record))
  }
  return { batchItemFailures: Array.from(listed, itemIdentifier => ({ itemIdentifier })) }
}
