export type { BatchHandler } from './batch/process-batch.ts'
export type { MessageHandler } from './batch/process-messages.ts'
export type { BatchOptions, MessageLog } from './batch-options.ts'
export type { QueueEvent } from './contract/event.ts'
export type { QueueRecord } from './contract/record.ts'
export type { BatchItemFailure, BatchResponse } from './contract/response.ts'
export { DiscardError, discard } from './discard.ts'
export { eachMessage, type QueueHandler } from './each-message.ts'
export {
  BatchFailedError,
  InvalidMessageError,
  MessageInProgressError,
  UnhandledMessageError,
  UnknownMessageError,
} from './errors.ts'
export { queueFamily } from './family.ts'
export type { Message } from './message/message.ts'
export type { MessageAttribute, MessageAttributes } from './message/message-attributes.ts'
export type { BodyCodec, Verification } from './message/read-message.ts'
export { type OnceOptions, once } from './once.ts'
export { queue, queueNormalizer, queueValidator } from './queue.ts'
export type { QueueOptions } from './queue-plugin.ts'
export {
  type FailureCollector,
  failureCollector,
  type MessageReference,
} from './response/failure-collector.ts'
export { type BatchMiddleware, partialFailures } from './response/partial-failures.ts'
