import { InvalidEventError, type InvocationContext, notAnAnswer } from '@signalbox/core'
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
  options: BatchOptions = {},
): QueueHandler {
  checkBody('eachMessage()', body)
  checkFunction('eachMessage()', 'onMessage', onMessage)
  checkOptions('eachMessage()', options, batchOptionNames)
  const read = messageReader(body, options.verify, needsReason(options))
  // This function is async, because some platforms accept only promises.
  const handler: QueueHandler = async function eachMessageHandler(event, context) {
    normalizeBatch(event)
    const problems = refusedEnvelope(event)
    if (problems) throw new InvalidEventError(familyName, problems)
    return runBatch(event, context, options, batch => processMessages(batch, read, onMessage))
  }
  return notAnAnswer('a handler', handler)
}
