import { kindOf } from '@signalbox/codec'
import { type AfterMiddleware, InvalidResponseError, named, notAnAnswer, type Request } from '@signalbox/core'
import { isFifo } from '../batch/fifo.ts'
import { isOwnResponse } from '../batch/outcomes.ts'
import type { QueueEnvelope, QueueEvent } from '../contract/event.ts'
import type { BatchItemFailure, BatchResponse } from '../contract/response.ts'
import { DiscardError } from '../discard.ts'
import { UnknownMessageError } from '../errors.ts'
import { isEnvelope } from '../family.ts'
import { collects, failureCollector, isCollector } from './failure-collector.ts'

type Records = QueueEnvelope['Records']

/**
 * The middleware that turns what a handler returned into the contract's answer. It accepts the outcomes of
 * `Promise.allSettled` over the records, a `failureCollector`, an array of the ids that failed, and an answer as
 * the contract has it. In a batch of a FIFO queue every later message of a failed one's group is reported too.
 *
 * For anything else, a forgotten return value before all, it throws InvalidResponseError: the platform takes an
 * empty answer for success and would delete the batch, so the invocation fails instead.
 *
 * An answer that an `onError` hook of another middleware made out of an error is held to the same, since one for
 * another kind of event, such as an HTTP error page, is no list of failures and would delete the batch too. On a
 * plain middy stack a hook that returns a value ends the invocation with it, past this middleware.
 */
export function partialFailures(): BatchMiddleware {
  return notAnAnswer('a middleware', {
    name: 'partial-failures',
    after: named('partial-failures', (request: Request<QueueEvent>): void => {
      request.response = responseFor(request.event, request.response)
    }),
    onError: named('partial-failures', (request: Request<QueueEvent>): void => {
      if (request.response !== undefined) request.response = responseInsteadOfError(request)
    }),
  })
}

/** A middleware that looks at answers, also at those that are made out of errors. */
export interface BatchMiddleware extends AfterMiddleware<QueueEvent> {
  readonly onError: (request: Request<QueueEvent>) => void
}

/** The answer that somebody gave instead of an error. If it is none, the error stands. */
function responseInsteadOfError({ event, response, error }: Request<QueueEvent>): BatchResponse {
  try {
    if (isEnvelope(event)) return responseFor(event, response)
  } catch (refused) {
    if (!(error instanceof Error)) throw refused
  }
  throw error
}

function responseFor(event: QueueEnvelope, returned: unknown): BatchResponse {
  const finished = isResponse(returned) ? completeList(returned, event.Records) : undefined
  if (finished !== undefined) return { batchItemFailures: finished }
  const failures = failureCollector(event)
  try {
    for (const [id, reason] of failuresIn(returned, event.Records)) failures.add(id, reason)
  } catch (cause) {
    if (!(cause instanceof UnknownMessageError)) throw cause
    throw refusal('ids of messages in the batch', 'another id', cause)
  }
  return failures.response()
}

function isResponse(value: unknown): value is BatchResponse {
  if (typeof value !== 'object' || value === null) return false
  const { batchItemFailures } = value as Partial<BatchResponse>
  if (!Array.isArray(batchItemFailures)) return false
  // Not `every`, which passes over holes.
  for (const item of batchItemFailures) {
    if (typeof item?.itemIdentifier !== 'string') return false
  }
  return true
}

/**
 * The list of an answer that names records of the batch alone, in its order, and lacks none; undefined for any other.
 * The list is a new one, with nothing in it but what was read here: JSON says something else of an instance whose list
 * is a getter, or of an object with `toJSON`, and often says `{}`, which deletes the batch.
 */
function completeList(
  answer: BatchResponse,
  records: Records,
): BatchResponse['batchItemFailures'] | undefined {
  const { batchItemFailures } = answer
  if (batchItemFailures.length === 0) return []
  if (isOwnResponse(answer, records)) return batchItemFailures
  const list: BatchItemFailure[] = []
  let position = 0
  for (const { itemIdentifier } of batchItemFailures) {
    while (position < records.length && records[position]!.messageId !== itemIdentifier) position++
    if (position++ === records.length) return undefined
    list.push({ itemIdentifier })
  }
  return isFifo(records) ? undefined : list
}

function failuresIn(returned: unknown, records: Records): Iterable<readonly [id: string, reason: unknown]> {
  if (isCollector(returned)) {
    if (collects(returned, records)) return returned.reasons
    throw refusal('the failureCollector of this batch', 'that of another')
  }
  if (isResponse(returned))
    return returned.batchItemFailures.map(({ itemIdentifier }) => [itemIdentifier, undefined])
  if (!Array.isArray(returned)) throw refusal(accepted, kindOf(returned))
  const items: readonly unknown[] = [...returned]
  if (items.every(item => typeof item === 'string')) return items.map(id => [id, undefined])
  if (!items.every(isSettledResult)) throw refusal(accepted, 'an array of something else')
  if (items.length !== records.length)
    throw refusal(`${records.length} outcomes, one for each record`, `${items.length} outcomes`)
  return items.flatMap((item, position) =>
    item.status === 'fulfilled' || DiscardError.is(item.reason)
      ? []
      : [[records[position]!.messageId, item.reason] as const],
  )
}

function isSettledResult(item: unknown): item is PromiseSettledResult<unknown> {
  // No more and no less than there is in an outcome: an order may have a status, and be fulfilled, too.
  if (typeof item !== 'object' || item === null || Object.keys(item).length !== 2) return false
  const { status } = item as { status?: unknown }
  return (status === 'fulfilled' && 'value' in item) || (status === 'rejected' && 'reason' in item)
}

const accepted = 'settled outcomes, a failureCollector, an array of failed ids, or { batchItemFailures }'

function refusal(expected: string, actual: string, cause?: unknown): InvalidResponseError {
  return new InvalidResponseError('the queue handler', [{ pointer: '', expected, actual }], { cause })
}
