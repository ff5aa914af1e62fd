import { SignalboxError } from '@signalbox/core/base'

/** Thrown when there is no space for more executions, or for more of an execution. */
export class ExecutionStoreFullError extends SignalboxError {
  override readonly name = 'ExecutionStoreFullError'
  readonly code = 'EXECUTION_STORE_FULL'
}
