import type { QueueRecord } from '@signalbox/queue/contract'
import { messageSize } from '../store/message-rules.ts'
import type { ReceivedMessage } from '../store/queue-store.ts'

/** Bytes of an event at most, as on stock services. One message is an event however large it is. */
export const eventSizeLimit = 6 * 1024 * 1024

const frame = '{"Records":[]}'.length

/** Bytes of a record beside the message and its receipt, at most: names, digests, times, identifiers. */
const aroundMessage = 4096

/** JSON writes a byte as six at most: `\u0001`. */
const longestEscape = 6

/**
 * Messages in parts, in their order, so that the JSON of each part's event keeps to the limit. The text decides: escapes
 * and what stands around a message count too.
 */
export function eventParts(
  messages: readonly ReceivedMessage[],
  recordOf: (message: ReceivedMessage) => QueueRecord,
): readonly (readonly ReceivedMessage[])[] {
  const upperBound = messages.reduce((sum, each) => sum + bound(each), frame)
  // Nearly all batches are far below the limit, and there is nothing to count.
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
