import { InvalidOptionError } from '@signalbox/core'
import { done, failed, responseOf, stopGroups } from '../batch/outcomes.ts'
import type { QueueEnvelope } from '../contract/event.ts'
import type { BatchResponse } from '../contract/response.ts'
import { UnknownMessageError } from '../errors.ts'

type Records = QueueEnvelope['Records']

/** A message by its record, by itself, or by its id. */
export type MessageReference = string | { readonly messageId: string } | { readonly id: string }

/** Gathers the messages of one batch that failed. */
export interface FailureCollector {
  /**
   * Adds a message. The first reason stays.
   * @throws UnknownMessageError for an id that is not in the batch: on the wire it would fail everything
   */
  add(message: MessageReference, reason?: unknown): void
  /** Whether the message was added. */
  has(message: MessageReference): boolean
  /**
   * The contract's answer: what was added, each id once, in the order of the batch. In a batch of a FIFO queue also
   * every later message of the same group, which must not be deleted either.
   */
  response(): BatchResponse
  /** The same, so that a collector that a plain handler returns is its response. */
  toJSON(): BatchResponse
  /** Why each message was added, by its id. */
  readonly reasons: ReadonlyMap<string, unknown>
}

/**
 * A collector for the failures of a batch. Works on its own, in any handler.
 * @throws InvalidOptionError for what is no batch
 */
export function failureCollector(event: QueueEnvelope): FailureCollector {
  const records = event?.Records
  if (!Array.isArray(records))
    throw new InvalidOptionError('failureCollector() takes the event of a batch, the one with Records')
  const reasons = new Map<string, unknown>()
  let known: Set<string> | undefined
  const collector: FailureCollector = {
    reasons,
    add(message, reason) {
      const id = idOf(message)
      if (id === undefined)
        throw new UnknownMessageError(
          'add() takes a message, its record or its id, and was given none of them.',
        )
      known ??= new Set(records.map(({ messageId }) => messageId))
      if (!known.has(id))
        throw new UnknownMessageError(
          `The batch has no message ${JSON.stringify(id)}. To report it would fail the whole batch.`,
        )
      if (!reasons.has(id)) reasons.set(id, reason)
    },
    has: message => reasons.has(idOf(message)!),
    response() {
      const outcomes = new Uint8Array(records.length).fill(done)
      if (reasons.size > 0) {
        for (const [position, { messageId }] of records.entries()) {
          if (reasons.has(messageId)) outcomes[position] = failed
        }
        stopGroups(records, outcomes)
      }
      return responseOf(records, outcomes)
    },
    toJSON: () => collector.response(),
  }
  batches.set(collector, records)
  return collector
}

/** Whether something is a collector, rather than an object that looks like one. */
export function isCollector(value: unknown): value is FailureCollector {
  return batches.has(value as FailureCollector)
}

/** Whether a collector is for these records. One that was kept from an earlier batch knows nothing of this one's failures. */
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
