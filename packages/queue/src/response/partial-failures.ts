import { kindOf } from '@signalbox/codec'
import {
  type AfterMiddleware,
  type HookRequest,
  InvalidResponseError,
  namedMiddleware,
} from '@signalbox/core'
import type { QueueEnvelope, QueueEvent } from '../contract/event.ts'
import type { BatchItemFailure, BatchResponse } from '../contract/response.ts'
import { DiscardError } from '../discard.ts'
import { isEnvelope } from '../family.ts'
import { idsOf, type Records, recordsOf, responseOfFailed, unknownMessage } from './failed-records.ts'
import { collects, isCollector } from './failure-collector.ts'
import { isFifo } from './fifo.ts'

/**
 * Returns a middleware that turns the result of a handler into the contract's response. It accepts the results of
 * `Promise.allSettled` over the records, a `failureCollector`, an array of failed ids, and a response of the contract.
 * For a FIFO queue, it adds the later messages of the failed groups.
 *
 * It throws InvalidResponseError for any other value, such as undefined after a forgotten return. Otherwise the
 * platform would treat an empty response as success and delete the batch.
 *
 * It also checks a response that an `onError` hook of another middleware makes, because an HTTP error page, for
 * example, would delete the batch. In a plain middy stack, a hook that returns a value ends the invocation before this
 * middleware runs.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { partialFailures, type QueueEvent } from '@signalbox/queue'
 *
 * export const handler = middy()
 *   .use(partialFailures())
 *   .handler((event: QueueEvent) => Promise.allSettled(event.Records.map(async ({ body }) => JSON.parse(body))))
 * ```
 */
export function partialFailures(): BatchMiddleware {
  return namedMiddleware('partial-failures', {
    after: (request: HookRequest<QueueEvent>): void => {
      request.response = responseFor(request.event, request.response)
    },
    onError: (request: HookRequest<QueueEvent>): void => {
      if (request.response !== undefined) request.response = responseInsteadOfError(request)
    },
  })
}

/** A middleware that checks responses, including those that error handlers make. */
export interface BatchMiddleware extends AfterMiddleware<QueueEvent> {
  onError(request: HookRequest<QueueEvent>): void
}

/** Returns the response that an error handler made, or throws the error when that is not a batch response. */
function responseInsteadOfError({ event, response, error }: HookRequest<QueueEvent>): BatchResponse {
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
  const records = recordsOf(event)
  const failed = new Set(failedIds(returned, records))
  const known = idsOf(records)
  for (const id of failed) {
    if (known.has(id)) continue
    const at = isResponse(returned) ? pointerOf(returned, each => each.itemIdentifier === id) : ''
    throw refusal('ids of messages in the batch', 'another id', at, unknownMessage(id))
  }
  return responseOfFailed(records, failed)
}

function isResponse(value: unknown): value is BatchResponse {
  if (typeof value !== 'object' || value === null) return false
  const { batchItemFailures } = value as Partial<BatchResponse>
  if (!Array.isArray(batchItemFailures)) return false
  // This is a loop, because `every` skips holes.
  for (const item of batchItemFailures) {
    if (typeof item?.itemIdentifier !== 'string') return false
  }
  return true
}

/**
 * Returns the failures of a response that is complete and names only records of the batch, in order. Returns undefined
 * for any other response. The list is a copy of the checked failures, because the JSON of an instance with getters or
 * of an object with `toJSON` can differ. It is often `{}`, which deletes the batch.
 */
function completeList(
  answer: BatchResponse,
  records: Records,
): BatchResponse['batchItemFailures'] | undefined {
  const { batchItemFailures } = answer
  if (batchItemFailures.length === 0) return []
  const list: BatchItemFailure[] = []
  let position = 0
  for (const { itemIdentifier } of batchItemFailures) {
    while (position < records.length && records[position]!.messageId !== itemIdentifier) position++
    if (position++ === records.length) return undefined
    list.push({ itemIdentifier })
  }
  return isFifo(records) ? undefined : list
}

function failedIds(returned: unknown, records: Records): Iterable<string> {
  if (isCollector(returned)) {
    if (collects(returned, records)) return returned.reasons.keys()
    throw refusal('the failureCollector of this batch', 'the failureCollector of another batch')
  }
  if (isResponse(returned)) return returned.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
  const { batchItemFailures: listed } = Object(returned) as Partial<BatchResponse>
  if (Array.isArray(listed)) {
    const isWrong = (item: unknown) => typeof Object(item).itemIdentifier !== 'string'
    throw refusal('the id of a message', 'something else', pointerOf({ batchItemFailures: listed }, isWrong))
  }
  if (!Array.isArray(returned)) throw refusal(accepted, kindOf(returned))
  const items: readonly unknown[] = [...returned]
  if (items.every(item => typeof item === 'string')) return items
  if (!items.every(isSettledResult)) throw refusal(accepted, 'an array of other values')
  if (items.length !== records.length)
    throw refusal(`${records.length} results, one for each record`, `${items.length} results`)
  return items.flatMap((item, position) =>
    item.status === 'fulfilled' || DiscardError.is(item.reason) ? [] : [records[position]!.messageId],
  )
}

function isSettledResult(item: unknown): item is PromiseSettledResult<unknown> {
  // A result of Promise.allSettled has exactly two keys. Other objects, such as orders, can have a `status` of
  // `fulfilled`, too.
  if (typeof item !== 'object' || item === null || Object.keys(item).length !== 2) return false
  const { status } = item as { status?: unknown }
  return (status === 'fulfilled' && 'value' in item) || (status === 'rejected' && 'reason' in item)
}

const accepted =
  'the results of Promise.allSettled, a failureCollector, an array of failed ids, or { batchItemFailures }'

/** Returns the pointer to the id of the first failure that fulfils a condition. */
function pointerOf({ batchItemFailures }: BatchResponse, is: (failure: BatchItemFailure) => boolean): string {
  return `/batchItemFailures/${batchItemFailures.findIndex(is)}/itemIdentifier`
}

function refusal(expected: string, actual: string, pointer = '', cause?: unknown): InvalidResponseError {
  return new InvalidResponseError('the queue handler', [{ pointer, expected, actual }], { cause })
}
