import { type AfterMiddleware, InvalidResponseError, named, type Request } from '@signalbox/core'
import type { QueueEnvelope, QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { DiscardError, UnknownMessageError } from './errors.ts'
import { failureCollector, isCollector } from './failure-collector.ts'
import { isFifo } from './fifo.ts'

type Records = QueueEnvelope['Records']

/**
 * The middleware that turns what a handler returned into the contract's answer. It accepts the outcomes of
 * `Promise.allSettled` over the records, a `failureCollector`, an array of the ids that failed, and an answer as
 * the contract has it. In a batch of a FIFO queue every later message of a failed one's group is reported too.
 *
 * For anything else, a forgotten return value before all, it throws InvalidResponseError: the platform takes an
 * empty answer for success and would delete the batch, so the invocation fails instead.
 */
export function partialFailures(): AfterMiddleware<QueueEvent> {
  return {
    name: 'partial-failures',
    after: named('partial-failures', (request: Request<QueueEvent>): void => {
      request.response = answerFor(request.event, request.response)
    }),
  }
}

function answerFor(event: QueueEnvelope, returned: unknown): BatchResponse {
  if (isAnswer(returned) && isFinished(returned, event.Records)) return returned
  const failures = failureCollector(event)
  try {
    for (const [id, reason] of failuresIn(returned, event.Records)) failures.add(id, reason)
  } catch (cause) {
    if (!(cause instanceof UnknownMessageError)) throw cause
    throw refusal('ids of messages in the batch', 'another id', cause)
  }
  return failures.response()
}

function isAnswer(value: unknown): value is BatchResponse {
  if (typeof value !== 'object' || value === null) return false
  const { batchItemFailures } = value as Partial<BatchResponse>
  return (
    Array.isArray(batchItemFailures) &&
    batchItemFailures.every(item => typeof item?.itemIdentifier === 'string')
  )
}

/** Whether an answer names records of the batch alone, in its order, as our own does: then it can go as it is. */
function isFinished({ batchItemFailures }: BatchResponse, records: Records): boolean {
  let position = 0
  for (const { itemIdentifier } of batchItemFailures) {
    while (position < records.length && records[position]!.messageId !== itemIdentifier) position++
    if (position++ === records.length) return false
  }
  return batchItemFailures.length === 0 || !isFifo(records)
}

function failuresIn(returned: unknown, records: Records): Iterable<readonly [id: string, reason: unknown]> {
  if (isCollector(returned)) return returned.reasons
  if (isAnswer(returned))
    return returned.batchItemFailures.map(({ itemIdentifier }) => [itemIdentifier, undefined])
  if (!Array.isArray(returned)) throw refusal(accepted, nounOf(returned))
  const items: readonly unknown[] = returned
  if (items.every(item => typeof item === 'string')) return items.map(id => [id, undefined])
  if (!items.every(isSettled)) throw refusal(accepted, 'an array of something else')
  if (items.length !== records.length)
    throw refusal(`${records.length} outcomes, one for each record`, `${items.length} outcomes`)
  return items.flatMap((item, position) =>
    item.status === 'fulfilled' || item.reason instanceof DiscardError
      ? []
      : [[records[position]!.messageId, item.reason] as const],
  )
}

function isSettled(item: unknown): item is PromiseSettledResult<unknown> {
  const status = (item as { status?: unknown } | null | undefined)?.status
  return status === 'fulfilled' || status === 'rejected'
}

const accepted = 'settled outcomes, a failureCollector, an array of failed ids, or { batchItemFailures }'

function refusal(expected: string, actual: string, cause?: unknown): InvalidResponseError {
  return new InvalidResponseError('the queue handler', [{ pointer: '', expected, actual }], { cause })
}

function nounOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  return value === null ? 'null' : `a ${typeof value}`
}
