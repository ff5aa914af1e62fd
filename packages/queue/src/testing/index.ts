export { type Mutator, queueEventMutators } from './mutators.ts'
export { fifoEvent, type QueueEventOptions, queueEvent } from './queue-event.ts'
export { fifoRecord, queueRecord, type RecordChanges } from './queue-record.ts'
