import type { QueueEvent } from '../contract/event.ts'
import type { QueueRecord } from '../contract/record.ts'
import { fifoRecord, idOf, queueRecord } from './queue-record.ts'

/** The body of a message: a string, or any other value, which is sent as JSON. */
export type Body = unknown

/**
 * A batch of a standard queue, one message for each body; `bodies` that are not text are sent as JSON.
 * `records` go in as they are, after those.
 */
export function queueEvent({
  bodies = [],
  records = [],
}: {
  readonly bodies?: readonly Body[]
  readonly records?: readonly QueueRecord[]
} = {}): QueueEvent {
  const made = bodies.map((body, position) => queueRecord(textOf(body), { messageId: idOf(position) }))
  return { Records: [...made, ...records] }
}

const firstSequenceNumber = 18_849_496_460_467_696_128n

/**
 * A batch of a FIFO queue out of pairs of group and body, in the order in which they were sent; bodies that are
 * not text are sent as JSON.
 */
export function fifoEvent(messages: readonly (readonly [group: string, body: Body])[]): QueueEvent {
  return {
    Records: messages.map(([group, body], position) =>
      fifoRecord(textOf(body), {
        messageId: idOf(position),
        attributes: {
          SequenceNumber: String(firstSequenceNumber + 256n * BigInt(position)),
          MessageGroupId: group,
          MessageDeduplicationId: `deduplication-${position}`,
        },
      }),
    ),
  }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? 'null')
}
