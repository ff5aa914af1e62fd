import { problems } from '@signalbox/codec'
import { InvalidEventError, type InvocationContext, notAnAnswer } from '@signalbox/core'
import { batchProcessor, type MessageHandler } from './batch/batch-processor.ts'
import {
  type BatchOptions,
  batchOptionNames,
  checkBody,
  checkFunction,
  checkOptions,
} from './batch-options.ts'
import { QueueEnvelope, type QueueEvent } from './contract/event.ts'
import type { BatchResponse } from './contract/response.ts'
import { isEnvelope, queueFamily } from './family.ts'
import { type BodyCodec, messageReader } from './message/read-message.ts'

/** A function that a platform calls with a batch. */
export type QueueHandler = (event: QueueEvent, context?: InvocationContext) => Promise<BatchResponse>

/**
 * A plain handler that gives each message of a batch to `onMessage` and reports those that fail. It needs no
 * middleware: it absorbs drift and checks the event by itself.
 * @param body decodes the text of a message, such as `fromJson(Order)`, or `t.string` to leave it as it is
 * @throws InvalidOptionError at once; the handler rejects with InvalidEventError for an event whose messages cannot
 * even be named
 */
export function eachMessage<Body>(
  body: BodyCodec<Body>,
  onMessage: MessageHandler<Body>,
  options: BatchOptions = {},
): QueueHandler {
  checkBody('eachMessage()', body)
  checkFunction('eachMessage()', 'onMessage', onMessage)
  const settings = checkOptions('eachMessage()', options, batchOptionNames)
  const processor = batchProcessor(messageReader(body, options.verify), onMessage, settings)
  // Asynchronous for the sake of platforms that look at nothing but promises.
  const handler: QueueHandler = async function eachMessageHandler(event, context) {
    queueFamily.normalize(event)
    if (!isEnvelope(event)) throw new InvalidEventError(queueFamily.name, problems(QueueEnvelope, event))
    return processor(event, context)
  }
  return notAnAnswer('a handler', handler)
}
