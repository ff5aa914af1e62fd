import type { QueueRecord } from '@signalbox/queue/contract'
import { messageSize } from '../store/message-rules.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** The largest event in bytes, as on AWS. A single message may make a larger one. */
export const eventSizeLimit = 6 * 1024 * 1024

const frame = '{"Records":[]}'.length

/** The maximum number of bytes of a record without its message and receipt handle: names, digests, times and ids. */
const aroundMessage = 4096

/** JSON may write a byte as six bytes: `\u0001`. */
const longestEscape = 6

/**
 * Splits messages in order, so that the event of each part keeps to the limit. The JSON text of the event counts,
 * with all escapes and the other fields of its records.
 */
export function eventParts(
  messages: readonly ReceivedMessage[],
  recordOf: (message: ReceivedMessage) => QueueRecord,
): readonly (readonly ReceivedMessage[])[] {
  const upperBound = messages.reduce((sum, each) => sum + bound(each), frame)
  // Nearly all batches are far below the limit, so their exact size is not needed.
  if (upperBound <= eventSizeLimit) return [messages]
  const all: ReceivedMessage[][] = []
  let left = 0
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(recordOf(message))) + ','.length
    if (all.length === 0 || size > left) {
      all.push([])
      // The first record has no comma before it.
      left = eventSizeLimit - frame + ','.length
    }
    all.at(-1)!.push(message)
    left -= size
  }
  return all
}

function bound(message: ReceivedMessage): number {
  return longestEscape * (messageSize(message) + message.receiptHandle.length) + aroundMessage
}
