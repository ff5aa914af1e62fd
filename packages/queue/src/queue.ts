import {
  type BeforeMiddleware,
  contractValidator,
  InvalidOptionError,
  type InvocationContext,
  normalizer,
  notAnAnswer,
  type Plugin,
  receiver,
  validator,
} from '@signalbox/core'
import { batchProcessor, type MessageHandler } from './batch/batch-processor.ts'
import { type BatchHandler, processBatch } from './batch/process-batch.ts'
import {
  type BatchOptions,
  batchOptionNames,
  checkBody,
  checkFunction,
  checkOptions,
} from './batch-options.ts'
import type { QueueEnvelope, QueueEvent } from './contract/event.ts'
import { readyEnvelope } from './contract/ready.ts'
import type { BatchResponse } from './contract/response.ts'
import { queueFamily, refusedEnvelope } from './family.ts'
import { isNormalized } from './is-normalized.ts'
import { type BodyCodec, messageReader } from './message/read-message.ts'
import { partialFailures } from './response/partial-failures.ts'

/**
 * The options of `queue()`: the codec of the messages, one handler for single messages or for batches, and how to run
 * it.
 */
export type QueueOptions<Body, Wire = unknown> = BatchOptions & {
  /** Decodes the text of a message, such as `fromJson(Order)`. Default: the body is the text. */
  readonly body?: BodyCodec<Body, Wire>
} & (
    | { readonly onMessage: MessageHandler<NoInfer<Body>>; readonly onBatch?: never }
    | { readonly onBatch: BatchHandler<NoInfer<Body>>; readonly onMessage?: never }
  )

/** Returns a middleware that normalizes batches, for a middy stack without `signalbox()`. */
export function queueNormalizer(): BeforeMiddleware<QueueEvent> {
  return normalizer(queueFamily)
}

/**
 * Returns a middleware that throws InvalidEventError for an event whose records have no ids. The other fields of a
 * record are checked when its message is handled, so that an invalid record fails alone.
 */
export function queueValidator(): BeforeMiddleware<QueueEvent> {
  return validator(queueFamily, readyEnvelope)
}

/**
 * Returns the plugin for queue batches: docs/contract/queue.md. Failed messages are reported and redelivered, and all
 * others are deleted. The return value of `onMessage` or `onBatch` is ignored, so that it cannot delete or keep
 * messages by accident. Middlewares see the event before its records are checked: only their ids are certain.
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
  if (typeof options === 'function')
    throw new InvalidOptionError('queue() takes options, not a function: write queue({ onMessage: … })')
  const settings = checkOptions('queue()', options, ['body', 'onMessage', 'onBatch', ...batchOptionNames])
  const { body, onMessage, onBatch } = options
  if (body !== undefined) checkBody('queue()', body)
  if ((onMessage === undefined) === (onBatch === undefined))
    throw new InvalidOptionError('queue() needs either onMessage or onBatch')
  const handles = onMessage === undefined ? 'onBatch' : 'onMessage'
  checkFunction('queue()', handles, options[handles])
  const reader = messageReader(body, options.verify)
  const handler =
    onMessage !== undefined
      ? batchProcessor(reader, onMessage, settings)
      : (event: QueueEnvelope, context: InvocationContext) =>
          processBatch(event, context, reader, onBatch!, settings)
  return notAnAnswer('a plugin', {
    family: queueFamily,
    middlewares: [
      partialFailures(),
      receiver(queueFamily, isNormalized, contractValidator(queueFamily, refusedEnvelope)),
    ],
    handler,
  })
}
