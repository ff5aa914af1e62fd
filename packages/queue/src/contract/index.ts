export { eventFields, QueueEnvelope, QueueEvent } from './event.ts'
export type { Described, Field, Fields } from './field.ts'
export { deduplicationInterval, defaultBatchSize, eventSource } from './limits.ts'
export {
  messageAttributeFields,
  QueueRecord,
  recordFields,
  SystemAttributes,
  systemAttributeFields,
  WireMessageAttribute,
} from './record.ts'
export { BatchItemFailure, BatchResponse } from './response.ts'
export { type BatchVerdict, batchVerdict } from './verdict.ts'
