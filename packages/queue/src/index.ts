export type { MessageHandler } from './batch-processor.ts'
export type { QueueEvent } from './contract/event.ts'
export type { QueueRecord } from './contract/record.ts'
export type { BatchItemFailure, BatchResponse } from './contract/response.ts'
export { discard } from './discard.ts'
export { eachMessage, type QueueHandler } from './each-message.ts'
export {
  BatchFailedError,
  DiscardError,
  InvalidMessageError,
  MessageInProgressError,
  UnhandledMessageError,
  UnknownMessageError,
} from './errors.ts'
export { type FailureCollector, failureCollector, type MessageReference } from './failure-collector.ts'
export { queueFamily } from './family.ts'
export type { Message } from './message.ts'
export type { MessageAttribute, MessageAttributes } from './message-attributes.ts'
export { type OnceOptions, once } from './once.ts'
export { type BatchMiddleware, partialFailures } from './partial-failures.ts'
export type { BatchHandler } from './process-whole.ts'
export { type QueueOptions, queue, queueNormalizer, queueValidator } from './queue.ts'
export type { BodyCodec, Verification } from './read-message.ts'
export type { BatchOptions } from './settings.ts'
