import { type BeforeMiddleware, normalizer, type Plugin, validator } from '@signalbox/core'
import { processBatch } from './batch/process-batch.ts'
import type { QueueEvent } from './contract/event.ts'
import { readyEnvelope } from './contract/ready.ts'
import type { BatchResponse } from './contract/response.ts'
import { queueFamily } from './family.ts'
import { type QueueOptions, queuePlugin } from './queue-plugin.ts'

/**
 * Returns a middleware that normalizes batches, for a middy stack without `signalbox()`.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { partialFailures, type QueueEvent, queueNormalizer } from '@signalbox/queue'
 *
 * export const handler = middy()
 *   .use([queueNormalizer(), partialFailures()])
 *   .handler((event: QueueEvent) => Promise.allSettled(event.Records.map(async ({ body }) => JSON.parse(body))))
 * ```
 */
export function queueNormalizer(): BeforeMiddleware<QueueEvent> {
  return normalizer(queueFamily)
}

/**
 * Returns a middleware that throws InvalidEventError for an event whose records have no ids. The other fields of a
 * record are checked when its message is handled, so that an invalid record fails alone.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { eachMessage, partialFailures, queueNormalizer, queueValidator } from '@signalbox/queue'
 * import * as t from 'io-ts'
 *
 * export const handler = middy()
 *   .use([queueNormalizer(), queueValidator(), partialFailures()])
 *   .handler(eachMessage(t.string, ({ body }) => console.log(body)))
 * ```
 */
export function queueValidator(): BeforeMiddleware<QueueEvent> {
  return validator(queueFamily, readyEnvelope)
}

/**
 * Returns the plugin for queue batches. See docs/contract/queue.md. Failed messages are reported and redelivered, and
 * all other messages are deleted. The return value of `onMessage` or `onBatch` is ignored, so that it cannot delete or
 * keep messages by accident. Middlewares see the event before its records are checked, so only the ids of the records
 * are certain at that point.
 * @throws InvalidOptionError for an unknown option or an invalid value
 * @example
 * ```ts
 * import { fromJson } from '@signalbox/codec'
 * import { signalbox } from '@signalbox/core'
 * import { queue } from '@signalbox/queue'
 * import * as t from 'io-ts'
 *
 * const Order = t.type({ id: t.string, total: t.number })
 *
 * export const handler = signalbox(
 *   queue({
 *     body: fromJson(Order),
 *     onMessage: ({ body }) => console.log(body.id),
 *   }),
 * )
 * ```
 */
export function queue<Body = string, Wire = unknown>(
  options: QueueOptions<Body, Wire>,
): Plugin<BatchResponse, QueueEvent> {
  return queuePlugin(options, processBatch)
}
