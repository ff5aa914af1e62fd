export { eventStorage } from './event-store.ts'
export {
  type Execution,
  type ExecutionStatus,
  type HistoryEvent,
  hasEnded,
  hasFailed,
  type NewExecution,
  type Operation,
} from './execution.ts'
export { ExecutionChange, type NewRows, newExecution, type ReadExecution } from './execution-change.ts'
export {
  type ChangeOptions,
  type ExecutionQuery,
  type ExecutionStore,
  executionStorage,
  type HistoryEvents,
  type HistoryPage,
  type ListedExecution,
} from './execution-store.ts'
