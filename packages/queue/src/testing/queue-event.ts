import type { Hint } from '@signalbox/codec'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core/base'
import type { QueueEvent } from '../contract/event.ts'
import type { QueueRecord } from '../contract/record.ts'
import { fifoRecord, idOf, queueRecord } from './queue-record.ts'

/** The body of a message: a string, or any other value, which is sent as JSON. */
export type Body = unknown

/** The contents of a batch of a standard queue. */
export interface QueueEventOptions {
  /** The bodies of the messages. Bodies that are not strings are sent as JSON. */
  readonly bodies?: readonly Body[]
  /** Do not set this field. The compiler shows its type as a hint when `bodies` is misspelt as `body`. */
  readonly body?: Hint<'write bodies: […]'>
  /** Records to append unchanged. */
  readonly records?: readonly QueueRecord[]
}

/**
 * Builds a batch of a standard queue.
 * @throws InvalidOptionError for an unknown option
 * @example
 * ```ts
 * import { queueEvent } from '@signalbox/queue/testing'
 *
 * const event = queueEvent({ bodies: [{ id: '1' }, { id: '2' }] })
 * ```
 */
export function queueEvent(options: QueueEventOptions = {}): QueueEvent {
  refuseUnknownOptions('queueEvent()', options, ['bodies', 'records'])
  const { bodies = [], records = [] } = options
  if (!Array.isArray(bodies))
    throw new InvalidOptionError('queueEvent(): bodies expects a list: bodies: [body]')
  const made = bodies.map((body, position) => queueRecord(textOf(body), { messageId: idOf(position) }))
  return { Records: [...made, ...records] }
}

const firstSequenceNumber = 18_849_496_460_467_696_128n

/**
 * Builds a batch of a FIFO queue from pairs of group and body, in the order of sending. Bodies that are not strings
 * are sent as JSON.
 * @throws InvalidOptionError for anything but a list of pairs
 * @example
 * ```ts
 * import { fifoEvent } from '@signalbox/queue/testing'
 *
 * const event = fifoEvent([['customer-1', { id: '1' }], ['customer-2', { id: '2' }]])
 * ```
 */
export function fifoEvent(messages: readonly (readonly [group: string, body: Body])[]): QueueEvent {
  if (!Array.isArray(messages) || !messages.every(Array.isArray))
    throw new InvalidOptionError('fifoEvent() expects a list of pairs: [[group, body]]')
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
