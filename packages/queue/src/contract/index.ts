export { eventFields, QueueEnvelope, QueueEvent } from './event.ts'
export type { Described, Field, Fields } from './field.ts'
export { deduplicationInterval, defaultBatchSize } from './limits.ts'
export {
  eventSource,
  messageAttributeFields,
  QueueRecord,
  recordFields,
  SystemAttributes,
  systemAttributeFields,
  WireMessageAttribute,
} from './record.ts'
export { BatchItemFailure, BatchResponse } from './response.ts'
export { type BatchVerdict, batchVerdict } from './verdict.ts'
