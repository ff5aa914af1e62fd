export { fifoEvent, queueEvent } from './queue-event.ts'
export { fifoRecord, queueRecord, type RecordChanges } from './queue-record.ts'
