import { InvalidOptionError } from '@signalbox/core'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import { UnknownMessageError } from '../errors.ts'
import { done, failed, responseOf, stopGroups } from './record-states.ts'

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
 * Returns the response for a batch in which the messages with these ids failed. For a FIFO queue, it includes all later
 * messages of their groups.
 */
export function responseOfFailed(
  records: Records,
  ids: { readonly size: number; has(id: string): boolean },
): BatchResponse {
  const states = new Uint8Array(records.length).fill(done)
  if (ids.size > 0) {
    for (const [position, { messageId }] of records.entries()) {
      if (ids.has(messageId)) states[position] = failed
    }
    stopGroups(records, states)
  }
  return responseOf(records, states)
}
