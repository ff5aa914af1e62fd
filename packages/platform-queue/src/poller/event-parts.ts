import type { QueueRecord } from '@signalbox/queue/contract'
import { messageSize } from '../store/message-rules.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** The maximum size of an event in bytes, as on AWS. An event with a single message can be larger. */
export const eventSizeLimit = 6 * 1024 * 1024

const frame = '{"Records":[]}'.length

/** The maximum size of a record in bytes, without its body and its receipt handle. */
const aroundMessage = 4096

/** The maximum number of bytes that JSON needs for one byte of text, as in `\u0001`. */
const longestEscape = 6

/**
 * Splits messages, in order, into parts whose events do not exceed the limit. The size of an event is the size of its
 * JSON text, with all escapes and fields.
 */
export function eventParts(
  messages: readonly ReceivedMessage[],
  recordOf: (message: ReceivedMessage) => QueueRecord,
): readonly (readonly ReceivedMessage[])[] {
  const upperBound = messages.reduce((sum, each) => sum + bound(each), frame)
  // Nearly all batches are far below the limit, so the exact size is not needed.
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
