import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import { UnknownMessageError } from '../errors.ts'
import { idsOf, type Records, recordsOf, responseOfFailed, unknownMessage } from './failed-records.ts'

/** A message, its record, or its id. */
export type MessageReference = string | { readonly messageId: string } | { readonly id: string }

/** Collects the failed messages of one batch. */
export interface FailureCollector {
  /**
   * Adds a failed message. Only the first reason for each message is kept.
   * @throws UnknownMessageError for an id that is not in the batch, which would fail the whole batch
   */
  add(message: MessageReference, reason?: unknown): void
  /** Returns whether the message was added. */
  has(message: MessageReference): boolean
  /**
   * Returns the response that the contract defines: the ids of the added messages, each once, in the order of the
   * batch. For a FIFO queue, it includes all later messages of their groups, which the platform must not delete.
   */
  response(): BatchResponse
  /** Returns the response as JSON, so that a plain handler can return the collector itself. */
  toJSON(): BatchResponse
  /** The reasons for the failures of the added messages, by message id. */
  readonly reasons: ReadonlyMap<string, unknown>
}

/**
 * Makes a collector for the failures of a batch. It works in any handler.
 * @throws InvalidOptionError for an event that is not a batch
 * @example
 * ```ts
 * import { failureCollector, type QueueEvent } from '@signalbox/queue'
 *
 * export const handler = async (event: QueueEvent) => {
 *   const failures = failureCollector(event)
 *   for (const record of event.Records) if (record.body === '') failures.add(record, 'empty')
 *   return failures.response()
 * }
 * ```
 */
export function failureCollector(event: QueueEnvelope): FailureCollector {
  const records = recordsOf(event)
  const reasons = new Reasons()
  let known: ReadonlySet<string> | undefined
  const collector: FailureCollector = {
    reasons,
    add(message, reason) {
      const id = idOf(message)
      if (id === undefined) throw new UnknownMessageError('add() expects a message, its record or its id.')
      known ??= idsOf(records)
      if (!known.has(id)) throw unknownMessage(id)
      if (!reasons.has(id)) reasons.set(id, reason)
    },
    has: message => reasons.has(idOf(message)!),
    response: () => responseOfFailed(records, reasons),
    toJSON: () => collector.response(),
  }
  batches.set(collector, records)
  return collector
}

/**
 * The reasons in the order in which they were added. In JSON they are a list. A plain map would be `{}`, with which a
 * handler that returns it by mistake would delete the failed messages.
 */
class Reasons extends Map<string, unknown> {
  toJSON(): unknown {
    return [...this]
  }
}

/** Returns whether a value is a collector, and not just an object that looks like one. */
export function isCollector(value: unknown): value is FailureCollector {
  return batches.has(value as FailureCollector)
}

/**
 * Returns whether a collector was made for these records. A collector of an earlier batch does not contain the failures
 * of this batch.
 */
export function collects(collector: FailureCollector, records: Records): boolean {
  const own = batches.get(collector)!
  return (
    own === records ||
    (own.length === records.length &&
      own.every(({ messageId }, position) => messageId === records[position]!.messageId))
  )
}

const batches = new WeakMap<FailureCollector, Records>()

function idOf(message: MessageReference): string | undefined {
  if (typeof message === 'string') return message
  const { messageId, id } = (message ?? {}) as { readonly messageId?: unknown; readonly id?: unknown }
  const found = messageId ?? id
  return typeof found === 'string' ? found : undefined
}
