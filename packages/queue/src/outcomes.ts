import type { QueueEnvelope } from './contract/event.ts'
import type { BatchItemFailure, BatchResponse } from './contract/response.ts'
import { groupOf, isFifo } from './fifo.ts'

/** What became of each record of a batch, by its position. Whatever is not known to be done has failed. */
export type Outcomes = Uint8Array

/** Not started. */
const unsettled = 0
/** Started, and not known to be over. */
export const running = 1
export const done = 2
export const failed = 3

/**
 * The answer for a batch: the id of every message that is not done, once, in the order of the batch. Two records
 * with the same id come back together, since the platform knows them by nothing else.
 */
export function responseOf(records: QueueEnvelope['Records'], outcomes: Outcomes): BatchResponse {
  const batchItemFailures: BatchItemFailure[] = []
  const positions: number[] = []
  let listed: Set<string> | undefined
  for (let position = 0; position < outcomes.length; position++) {
    if (outcomes[position] === done) continue
    const { messageId } = records[position]!
    listed ??= new Set()
    if (listed.has(messageId)) continue
    listed.add(messageId)
    batchItemFailures.push({ itemIdentifier: messageId })
    positions.push(position)
  }
  if (positions.length > 0) places.set(batchItemFailures, positions)
  return { batchItemFailures }
}

const places = new WeakMap<readonly unknown[], readonly number[]>()

/**
 * Where in the batch the failures of an answer of ours were, unless it was changed since: so it says where to look
 * first, and saves comparing ids with all the others.
 */
export function placesOf({ batchItemFailures }: BatchResponse): readonly (number | undefined)[] | undefined {
  return places.get(batchItemFailures)
}

/**
 * In a batch of a FIFO queue, takes back every message after the first failure of its group: were one of them deleted,
 * the group would be out of order when the failed one comes back.
 */
export function stopGroups(records: QueueEnvelope['Records'], outcomes: Outcomes): void {
  if (!outcomes.some(outcome => outcome !== done) || !isFifo(records)) return
  const stopped = new Set<string | undefined>()
  for (const [position, record] of records.entries()) {
    const group = groupOf(record)
    if (outcomes[position] !== done) stopped.add(group)
    else if (stopped.has(group)) outcomes[position] = unsettled
  }
}
