import type { ReceivedMessage } from '../queue-store.ts'
import type { MessageRows } from './message-rows.ts'
import type { QueueRow } from './queue-rows.ts'
import { readReceiptHandle } from './receipt-handle.ts'
import type { ReceiveAttemptRows } from './receive-attempt-rows.ts'

/** Milliseconds for which a receive may be repeated under its id, as on stock services. */
const attemptInterval = 5 * 60_000

/** Receives that a client repeats because it did not hear the answer. Every function needs a transaction. */
export function receiveAttempts(rows: ReceiveAttemptRows, messages: MessageRows) {
  return {
    /**
     * What an earlier receive under the same id got, hidden anew; undefined when there was none, or something happened
     * to one of its messages. `touched` is told of their lanes.
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

    /** Keeps what a receive got. */
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
