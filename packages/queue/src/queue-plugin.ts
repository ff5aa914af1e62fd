import type { Hint } from '@signalbox/codec'
import {
  contractValidator,
  InvalidOptionError,
  type InvocationContext,
  type Middleware,
  notAnAnswer,
  type Plugin,
  receiver,
} from '@signalbox/core'
import type { BatchHandler, processBatch } from './batch/process-batch.ts'
import { type MessageHandler, processMessages } from './batch/process-messages.ts'
import { runBatch } from './batch/run-batch.ts'
import {
  type BatchOptions,
  batchOptionNames,
  checkBody,
  checkFunction,
  checkOptions,
  needsReason,
} from './batch-options.ts'
import type { QueueEnvelope, QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { queueFamily, refusedEnvelope } from './family.ts'
import { type BodyCodec, messageReader } from './message/read-message.ts'
import { partialFailures } from './response/partial-failures.ts'

/**
 * The options of `queue()`: the codec of the messages, a handler for either single messages or batches, and the options
 * for running it.
 */
export type QueueOptions<Body, Wire = unknown> = BatchOptions & {
  /** Decodes the body of a message, such as `fromJson(Order)`. Default: the body stays a string. */
  readonly body?: BodyCodec<Body, Wire>
} & (
    | {
        readonly onMessage: MessageHandler<NoInfer<Body>> | Hint<'for a handler of AWS, write awsRoute(…)'>
        readonly onBatch?: never
      }
    | { readonly onBatch: BatchHandler<NoInfer<Body>>; readonly onMessage?: never }
  )

/**
 * Returns the plugin of `queue()`.
 * @param process handles whole batches, for options with `onBatch`
 */
export function queuePlugin<Body, Wire>(
  options: QueueOptions<Body, Wire>,
  process?: typeof processBatch,
): Plugin<BatchResponse, QueueEvent> {
  if (typeof options === 'function')
    throw new InvalidOptionError('queue() takes options, not a function: write queue({ onMessage: … })')
  checkOptions('queue()', options, ['body', 'onMessage', 'onBatch', ...batchOptionNames])
  const { body, onMessage, onBatch } = options
  if (body !== undefined) checkBody('queue()', body)
  if ((onMessage === undefined) === (onBatch === undefined))
    throw new InvalidOptionError('queue() needs either onMessage or onBatch')
  const handles = onMessage === undefined ? 'onBatch' : 'onMessage'
  checkFunction('queue()', handles, options[handles])
  const read = messageReader(body, options.verify, needsReason(options))
  return notAnAnswer('a plugin', {
    family: queueFamily,
    middlewares: [partialFailures(), receiver(queueFamily, contractValidator(queueFamily, refusedEnvelope))],
    handler: (event: QueueEnvelope, context: InvocationContext) =>
      runBatch(event, context, options, batch =>
        onBatch === undefined
          ? processMessages(batch, read, onMessage as MessageHandler<Body>)
          : process!(batch, read, onBatch),
      ),
    adapt: refusePartialBatchFailure,
  })
}

/** Refuses @middy/sqs-partial-batch-failure, because it would report every message of every batch as failed. */
function refusePartialBatchFailure(middleware: Middleware): Middleware {
  if (middleware.after?.name !== 'sqsPartialBatchFailureMiddlewareAfter') return middleware
  throw new InvalidOptionError(
    '@middy/sqs-partial-batch-failure is not needed: queue() reports failed messages',
  )
}
