export { eventStorage } from './event-store.ts'
export {
  dueTime,
  type Execution,
  type ExecutionStatus,
  firstState,
  type HistoryEvent,
  hasEnded,
  hasFailed,
  type NewExecution,
  type Operation,
} from './execution.ts'
export { ExecutionChange } from './execution-change.ts'
export {
  callWork,
  type ExecutionQuery,
  type ExecutionStore,
  executionStorage,
  executionWork,
  type HistoryEvents,
  type HistoryPage,
  type ListedExecution,
} from './execution-store.ts'
