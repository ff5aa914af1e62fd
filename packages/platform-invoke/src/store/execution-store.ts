import type { StoragePort } from '@signalbox/platform-runtime/storage'
import type { Claimed, ClaimedWork } from '@signalbox/platform-runtime/work'
import type {
  Execution,
  ExecutionStatus,
  ExecutionSummary,
  HistoryEvent,
  NewExecution,
  Operation,
} from './execution.ts'
import type { ExecutionChange } from './execution-change.ts'

/** What a change needs. */
export interface ChangeOptions {
  /** The ids of the operations that the change reads. Operations that are due are read as well. */
  readonly operations?: readonly string[]
  /** The claim on the work of the execution, or on a call. Without the claim, the change is not made. */
  readonly claim?: ClaimedWork
  /** The maximum size in bytes of the operations that are returned. */
  readonly page?: number
}

/** What a change leads to. */
export interface ChangeResult<T> {
  readonly result: T
  /** Asks for the operations that were changed after this number. */
  readonly since?: number | undefined
  /**
   * What becomes of the claim. `keep`: it lasts. `wait`: the work of the execution is due when the execution is.
   * `finish`: the work is removed. Default `keep`.
   */
  readonly claim?: 'keep' | 'wait' | 'finish'
}

/** The result of a change. */
export interface Changed<T> {
  readonly result: T
  /** The execution after the change. */
  readonly execution: Execution
  /** The operations that were changed after `since` of the result, in their order. */
  readonly operations: readonly Operation[]
  /** Whether there are further operations that did not fit into the page. */
  readonly hasMore: boolean
}

/** An execution in a list, with its number among all executions. */
export interface ListedExecution extends ExecutionSummary {
  readonly number: number
}

/** Selects executions of a function. */
export interface ExecutionQuery {
  readonly functionName: string
  readonly name?: string | undefined
  readonly statuses?: readonly ExecutionStatus[] | undefined
  /** Milliseconds since the epoch. */
  readonly startedAfter?: number | undefined
  readonly startedBefore?: number | undefined
  /** Whether the newest execution comes first. */
  readonly newestFirst: boolean
  /** The number of the last execution of the page before. */
  readonly after: number | undefined
  readonly limit: number
}

/** Selects events of a history. */
export interface HistoryPage {
  /** The number of the last event of the page before. */
  readonly after: number | undefined
  readonly limit: number
  /** The maximum size in bytes of the events. A single larger one is returned alone. */
  readonly bytes: number
  readonly newestFirst: boolean
}

/** A page of a history. */
export interface HistoryEvents {
  readonly events: readonly HistoryEvent[]
  /** Whether there are further events that did not fit into the page. */
  readonly hasMore: boolean
}

/**
 * The storage port of executions of durable functions. The work of an execution has its id as key, and the name of its
 * function as queue. It exists as long as the execution, and is due when the platform has to continue, to report or to
 * forget the execution. A call of a function without executions is work, too. Its queue is `callQueue` of the function.
 *
 * Times are milliseconds since the epoch, by the clock of the storage.
 */
export interface ExecutionStore {
  /**
   * Starts an execution, which is due at once. Returns the execution that has this name if there is one.
   * @param repeatsFailed whether one that has failed gives its name to the new one, and is called `NAME-1`, `NAME-2` and so on
   */
  readonly start: (execution: NewExecution, now: number, repeatsFailed?: boolean) => Promise<Execution>
  readonly read: (id: string) => Promise<Execution | undefined>
  /** Returns those of the executions that have not ended, with one read of the storage. */
  readonly running: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Changes an execution completely or not at all. `change` is called again with what the execution has become if
   * another platform has changed it before the change is written, so it must have no effects of its own. Returns
   * undefined when there is no such execution, or when the claim was lost.
   */
  readonly change: <T>(
    id: string,
    options: ChangeOptions,
    change: (draft: ExecutionChange) => ChangeResult<T>,
    now: number,
  ) => Promise<Changed<T> | undefined>
  /** Returns the operations that a function needs, in their order, after a number. */
  readonly operations: (
    id: string,
    page: { readonly after: number; readonly limit: number; readonly bytes: number },
  ) => Promise<{ readonly operations: readonly Operation[]; readonly hasMore: boolean }>
  readonly operation: (id: string, operation: string) => Promise<Operation | undefined>
  /** Returns events of the history after a number, or before it in reverse order. */
  readonly history: (id: string, page: HistoryPage) => Promise<HistoryEvents>
  readonly list: (query: ExecutionQuery) => Promise<readonly ListedExecution[]>
  /** Removes an execution that has ended, with its history and its work. */
  readonly forget: (id: string, claim: ClaimedWork) => Promise<void>
  readonly claim: (queue: string, now: number, limit: number) => Promise<Claimed<ClaimedWork>>
  readonly giveBack: (work: ClaimedWork, dueAt: number, now: number) => Promise<void>
  readonly unclaim: (work: ClaimedWork) => Promise<void>
  /** Removes work for which there is nothing to do any more. */
  readonly finish: (work: ClaimedWork, now: number) => Promise<void>
  /** Returns the number of executions and calls that have not ended, by their queue. */
  readonly counts: () => Promise<ReadonlyMap<string, number>>
  /** Calls a function when another platform may have changed the work. Returns a function that ends these calls. */
  readonly watch: (changed: () => void) => () => void
  /** Removes all executions. Absent if several platforms share them. */
  readonly clear?: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The storage port for executions of durable functions. */
export const executionStorage: StoragePort<() => Promise<ExecutionStore>> = { name: 'executions' }
