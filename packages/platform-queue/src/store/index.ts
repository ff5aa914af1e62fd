export { type DeadLetterMove, describeDeadLetters } from './dead-letter-move.ts'
export { longPolls } from './long-polls.ts'
export { receiveRefusal, refusal } from './message-rules.ts'
export { movedAtOnce, refuseCancel, refuseMove, rememberedMoves, resourceNotFound } from './move-rules.ts'
export { type MoveStep, moveTaskRunner } from './move-task-runner.ts'
export {
  type MoveOptions,
  type MoveTask,
  type OwnQueueStore,
  type PeekedMessage,
  type QueueReport,
  queueStorage,
  type Tags,
} from './own-queue-store.ts'
export {
  attributeBounds,
  changedAttributes,
  defaultAttributes,
  differingAttribute,
  type QueueAttributes,
  type QueueDescription,
} from './queue-attributes.ts'
export { isFifoName, refuseQueueName } from './queue-name.ts'
export {
  existingQueueRefusal,
  inFlightLimits,
  overLimit,
  queueNotFound,
  refuseDeniedDeadLetter,
  refuseEarlyPurge,
  turnInterval,
} from './queue-rules.ts'
export type {
  Depth,
  MessageAttributes,
  NewMessage,
  QueueStore,
  ReceivedMessage,
  ReceiveOptions,
  SentMessage,
} from './queue-store.ts'
export { QueueStoreError, storageFull } from './queue-store-error.ts'
export { readReceiptHandle, writeReceiptHandle } from './receipt-handle.ts'
export {
  expiredReceiptHandle,
  foreignReceiptHandle,
  notInFlight,
  timeoutRefusal,
  totalTimeoutRefusal,
  unknownReceipt,
} from './receipt-rules.ts'
export { deduplicationIdOf, sendTokens } from './send-token.ts'
export { sequenceNumber } from './sequence-number.ts'
