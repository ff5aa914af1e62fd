import {
  type BeforeMiddleware,
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
import { type QueueEnvelope as Envelope, QueueEnvelope, type QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { queueFamily } from './family.ts'
import { isNormalized } from './is-normalized.ts'
import { type BodyCodec, messageReader } from './message/read-message.ts'
import { partialFailures } from './response/partial-failures.ts'

/** What a queue function is made of: what its messages hold, and what is done with them, singly or together. */
export type QueueOptions<Body> = BatchOptions & {
  /** Decodes the text of a message, such as `fromJson(Order)`. Without it the body is the text. */
  readonly body?: BodyCodec<Body>
} & (
    | { readonly onMessage: MessageHandler<NoInfer<Body>>; readonly onBatch?: never }
    | { readonly onBatch: BatchHandler<NoInfer<Body>>; readonly onMessage?: never }
  )

/** Absorbs the drift of batches (a middleware for a middy stack of your own). */
export function queueNormalizer(): BeforeMiddleware<QueueEvent> {
  return normalizer(queueFamily)
}

/**
 * Refuses, with InvalidEventError, what is no batch whose messages can be named. Whether each record keeps the
 * contract is looked at when its message is handled, so that a bad one fails alone.
 */
export function queueValidator(): BeforeMiddleware<QueueEvent> {
  return validator(queueFamily, QueueEnvelope)
}

/**
 * The plugin for batches of queue messages (contract B). Messages that fail come back, the others are deleted.
 * What is returned by `onMessage` or `onBatch` is not looked at, so nothing is lost or kept by accident.
 *
 * @throws InvalidOptionError for an option that nobody knows or that cannot be meant
 */
export function queue<Body = string>(options: QueueOptions<Body>): Plugin<BatchResponse> {
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
      : (event: Envelope, context: InvocationContext) =>
          processBatch(event, context, reader, onBatch!, settings)
  return notAnAnswer('a plugin', {
    family: queueFamily,
    middlewares: [partialFailures(), receiver(queueFamily, isNormalized, QueueEnvelope)],
    handler,
  })
}
