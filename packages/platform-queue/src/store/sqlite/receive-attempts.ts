import type { ReceivedMessage } from '../queue-store.ts'
import { readReceiptHandle } from '../receipt-handle.ts'
import type { MessageRows } from './rows/message-rows.ts'
import type { QueueRow } from './rows/queue-rows.ts'
import type { ReceiveAttemptRows } from './rows/receive-attempt-rows.ts'

/** Milliseconds for which a receive request can be repeated, as on AWS. */
const attemptInterval = 5 * 60_000

/** Repeats receives for clients that did not get the first response. Every function must be called in a transaction. */
export function receiveAttempts(rows: ReceiveAttemptRows, messages: MessageRows) {
  return {
    /**
     * Returns the messages of an earlier receive request with the same id, and hides them again. Calls `touched` for
     * their groups. Returns undefined if no earlier receive request has this id, or if one of its messages has changed.
     */
    repeat(
      queue: QueueRow,
      attempt: string,
      now: number,
      until: number,
      touched: (queue: QueueRow, fifoGroup: string) => void,
    ): readonly ReceivedMessage[] | undefined {
      const earlier = rows.find(queue, attempt, now)
      if (earlier === undefined || earlier.hiddenUntil <= now) return undefined
      const all = earlier.messages.flatMap(
        ([id, nonce]) => messages.held(queue, id, nonce, earlier.hiddenUntil) ?? [],
      )
      if (all.length < earlier.messages.length) return undefined
      for (const [id] of earlier.messages) messages.hide(id, until)
      for (const { group } of all) touched(queue, group!)
      rows.prolong(queue, attempt, until)
      return all
    },

    /** Stores the messages of a receive request. */
    remember(
      queue: QueueRow,
      attempt: string,
      now: number,
      hiddenUntil: number,
      got: readonly ReceivedMessage[],
    ): void {
      rows.removeExpired(now)
      const receiptHandles = got.map(({ receiptHandle }) => readReceiptHandle(receiptHandle)!)
      const held = receiptHandles.map(({ message, nonce }) => [message, nonce] as const)
      rows.add(queue, attempt, now + attemptInterval, { hiddenUntil, messages: held })
    },
  }
}
