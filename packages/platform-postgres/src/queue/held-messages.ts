import {
  attributeBounds,
  expiredReceiptHandle,
  foreignReceiptHandle,
  notInFlight,
  type QueueStoreError,
  readReceiptHandle,
  timeoutRefusal,
  totalTimeoutRefusal,
  unknownReceipt,
} from '@signalbox/platform-queue/store'
import type { Query } from '../database.ts'
import type { QueueRow } from './queue-rows.ts'

const [, longest] = attributeBounds.visibilityTimeout

/** Returns the message that a receipt handle of this queue identifies. */
function named(queue: QueueRow, receiptHandle: string) {
  const read = readReceiptHandle(receiptHandle)
  return read?.queue === queue.id ? read : undefined
}

/** Deletes received messages with one statement. Returns a result for each message, in the order of the messages. */
export async function deleteHeld(
  query: Query,
  queue: QueueRow,
  receiptHandles: readonly string[],
  given: number | null,
): Promise<readonly (QueueStoreError | undefined)[]> {
  const all = receiptHandles.map(receiptHandle => ({ receiptHandle, held: named(queue, receiptHandle) }))
  const known = all.flatMap(({ held }) => held ?? [])
  const ids = known.map(({ message }) => message)
  const receipts = known.map(({ nonce }) => nonce)
  let answers: readonly (string | null)[] = ids.map(() => null)
  if (known.length > 0 && queue.fifo)
    answers = (
      await query<{ answer: string | null }>('select * from delete_in_order($1, $2, $3, $4) as answer', [
        queue.id,
        given,
        ids,
        receipts,
      ])
    ).map(({ answer }) => answer)
  else if (known.length > 0)
    await query(
      `delete from messages m using unnest($2::bigint[], $3::text[]) as h(id, receipt)
       where m.id = h.id and m.queue = $1 and m.receipt = h.receipt`,
      [queue.id, ids, receipts],
    )
  let at = 0
  return all.map(({ receiptHandle, held }) => {
    if (held === undefined) return foreignReceiptHandle(receiptHandle)
    return answers[at++] === 'expired' ? expiredReceiptHandle(receiptHandle) : undefined
  })
}

/** What came of the change of visibility time-outs. */
interface Hidden {
  /** An error or nothing for each message, in the order of the messages. */
  readonly errors: readonly (QueueStoreError | undefined)[]
  /** Whether a message becomes visible earlier than it would have. */
  readonly isEarlier: boolean
}

/** Hides received messages, or makes them visible, with one statement. */
export async function hideHeld(
  query: Query,
  queue: QueueRow,
  changes: readonly { readonly receiptHandle: string; readonly timeout: number }[],
  given: number | null,
): Promise<Hidden> {
  const all = changes.map(change => ({
    ...change,
    refused: timeoutRefusal(change.timeout),
    held: named(queue, change.receiptHandle),
  }))
  const asked = all.filter(({ refused, held }) => refused === undefined && held !== undefined)
  const answers =
    asked.length === 0
      ? []
      : await query<{ answer: string | null; earlier: boolean | null }>(
          // The messages are read as they were before the change, each by its id.
          `select answer, answer is null and time_of($3) + ($7::bigint[])[place] <
             (select visible_at from messages where id = ($5::bigint[])[place]) as earlier
           from change_visibility($1, $2, $3, $4, $5, $6, $7) with ordinality as c(answer, place) order by place`,
          [
            queue.id,
            queue.fifo,
            given,
            longest,
            asked.map(({ held }) => held!.message),
            asked.map(({ held }) => held!.nonce),
            asked.map(({ timeout }) => timeout),
          ],
        )
  let at = 0
  const errors = all.map(({ receiptHandle, timeout, refused, held }) => {
    if (refused !== undefined) return refused
    if (held === undefined) return foreignReceiptHandle(receiptHandle)
    const answer = answers[at++]!.answer
    if (answer === 'unknown') return unknownReceipt(receiptHandle)
    if (answer === 'idle') return notInFlight()
    return answer === 'long' ? totalTimeoutRefusal(longest, timeout) : undefined
  })
  return { errors, isEarlier: answers.some(({ earlier }) => earlier === true) }
}
