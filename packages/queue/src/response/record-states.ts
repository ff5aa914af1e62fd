import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchItemFailure, BatchResponse } from '../contract/response.ts'
import { groupOf, isFifo } from './fifo.ts'

type Records = QueueEnvelope['Records']

/** The state of each record, by position. The response reports every record that is not `done`. */
export type RecordStates = Uint8Array

/** The function has not started to process the record. */
const notStarted = 0
/** The function has started to process the record. No result is known yet. */
export const running = 1
export const done = 2
export const failed = 3
/** The function has not started to process the record, but the record has passed the checks of the contract. */
export const valid = 4

/**
 * Returns the response for a batch: the ids of all records that are not done, each once, in the order of the batch. Two
 * records with the same id are reported together, because the platform identifies records only by id.
 * @param isComplete false if these failures might require other records to be reported
 */
export function responseOf(records: Records, states: RecordStates, isComplete = true): BatchResponse {
  const batchItemFailures: BatchItemFailure[] = []
  const positions: number[] = []
  let listed: Set<string> | undefined
  for (let position = 0; position < states.length; position++) {
    if (states[position] === done) continue
    const { messageId } = records[position]!
    listed ??= new Set()
    if (listed.has(messageId)) continue
    listed.add(messageId)
    batchItemFailures.push({ itemIdentifier: messageId })
    positions.push(position)
  }
  if (isComplete && positions.length > 0) ownResponses.set(batchItemFailures, { records, positions })
  return { batchItemFailures }
}

const ownResponses = new WeakMap<
  readonly unknown[],
  { readonly records: Records; readonly positions: readonly number[] }
>()

/**
 * Returns whether `responseOf` made this response for these records and nothing changed it. Such a response is
 * complete. For any other response, every record must be checked.
 */
export function isOwnResponse({ batchItemFailures }: BatchResponse, records: Records): boolean {
  const own = ownResponses.get(batchItemFailures)
  if (own?.records !== records || own.positions.length !== batchItemFailures.length) return false
  for (const [i, position] of own.positions.entries())
    if (batchItemFailures[i]!.itemIdentifier !== records[position]?.messageId) return false
  return true
}

/**
 * In a batch of a FIFO queue, marks every record after the first failure of its group as failed. Otherwise the platform
 * would delete these records, and the group would be out of order when the failed message is redelivered.
 */
export function stopGroups(records: Records, states: RecordStates): void {
  if (!states.some(state => state !== done) || !isFifo(records)) return
  const stopped = new Set<string | undefined>()
  for (const [position, record] of records.entries()) {
    const group = groupOf(record)
    if (states[position] !== done) stopped.add(group)
    else if (stopped.has(group)) states[position] = notStarted
  }
}
