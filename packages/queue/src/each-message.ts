import { InvalidEventError, type InvocationContext, notAnAnswer } from '@signalbox/core'
import { batchProcessor, type MessageHandler } from './batch/batch-processor.ts'
import { type ExaminedBatch, examineBatch } from './batch/examine-batch.ts'
import {
  type BatchOptions,
  batchOptionNames,
  checkBody,
  checkFunction,
  checkOptions,
} from './batch-options.ts'
import type { QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { familyName, refusedEnvelope } from './family.ts'
import { type BodyCodec, messageReader } from './message/read-message.ts'
import { normalizeBatch } from './normalize.ts'

/** A function that the platform calls with a batch. */
export type QueueHandler = (event: QueueEvent, context?: InvocationContext) => Promise<BatchResponse>

/**
 * Returns a handler that calls `onMessage` for each message of a batch and reports the messages that failed. It needs
 * no middleware, because it normalizes and checks the event itself.
 * @param body decodes the body of a message, such as `fromJson(Order)`; with `t.string`, the body stays a string
 * @throws InvalidOptionError for invalid options. The handler rejects with InvalidEventError for an event whose records
 * have no ids
 * @example
 * ```ts
 * import { fromJson } from '@signalbox/codec'
 * import { eachMessage } from '@signalbox/queue'
 * import * as t from 'io-ts'
 *
 * export const handler = eachMessage(fromJson(t.type({ id: t.string })), ({ body }) => console.log(body.id))
 * ```
 */
export function eachMessage<Body, Wire>(
  body: BodyCodec<Body, Wire>,
  onMessage: MessageHandler<Body>,
  options?: BatchOptions,
): QueueHandler {
  checkBody('eachMessage()', body)
  checkFunction('eachMessage()', 'onMessage', onMessage)
  // Without options, the code that checks them is not compiled, which saves 1.5 % of a cold start.
  const settings = options === undefined ? {} : checkOptions('eachMessage()', options, batchOptionNames)
  const examined: ExaminedBatch = { records: undefined, isFifo: false }
  const processor = batchProcessor(messageReader(body, settings.verify), onMessage, settings, examined)
  // This function is async, because some platforms accept only promises.
  const handler: QueueHandler = async function eachMessageHandler(event, context) {
    if (!examineBatch(event, examined)) {
      normalizeBatch(event)
      const problems = refusedEnvelope(event)
      if (problems) throw new InvalidEventError(familyName, problems)
    }
    return processor(event, context)
  }
  return notAnAnswer('a handler', handler)
}
