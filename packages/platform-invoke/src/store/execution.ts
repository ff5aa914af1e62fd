/** What is known of the code of an execution. */
interface ExecutionCode {
  /** A digest of the code of the latest invocation. */
  readonly digest: string
  /** How often an invocation had other code than the one before. */
  readonly changes: number
  /** When the code was another one for the last time, in milliseconds since the epoch. */
  readonly changedAt: number | undefined
}

/** The states of an execution. Only `RUNNING` can change. */
export const executionStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED'] as const

export type ExecutionStatus = (typeof executionStatuses)[number]

export type OperationType = 'EXECUTION' | 'CONTEXT' | 'STEP' | 'WAIT' | 'CALLBACK' | 'CHAINED_INVOKE'

export type OperationStatus =
  | 'STARTED'
  | 'PENDING'
  | 'READY'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLED'
  | 'TIMED_OUT'
  | 'STOPPED'

/** An error as durable functions and their clients describe it. */
export interface ErrorObject {
  readonly ErrorMessage?: string | undefined
  readonly ErrorType?: string | undefined
  readonly ErrorData?: string | undefined
  readonly StackTrace?: readonly string[] | undefined
}

/** An operation of another execution that waits for the end of this one. */
interface Parent {
  readonly execution: string
  readonly operation: string
}

/** What has to be known to start an execution. */
export interface NewExecution {
  /** Identifies the execution among those of all functions. */
  readonly id: string
  readonly functionName: string
  /** Identifies the execution among those of its function. */
  readonly name: string
  /** The event as a JSON string. */
  readonly input: string
  readonly tenantId: string | undefined
  /** The span that started the execution, as the value of a header `traceparent`. */
  readonly trace: string | undefined
  /** Milliseconds after which the execution times out. */
  readonly timeout: number
  /** Milliseconds for which the execution is kept after its end. */
  readonly retention: number
  readonly parent: Parent | undefined
  /** Whether a result that names `batchItemFailures` fails the execution. */
  readonly takesItemFailures?: boolean | undefined
  /** The queue that gets a document when the execution fails. */
  readonly onFailure?: string | undefined
  /** How many executions had this name so far, with this one. Default 1. */
  readonly attempt?: number | undefined
}

/** An execution of a durable function. Times are milliseconds since the epoch. */
export interface Execution extends Omit<NewExecution, 'input' | 'name'> {
  /** An execution that gave its name to another one is called `NAME-1`, `NAME-2` and so on. */
  name: string
  readonly startedAt: number
  status: ExecutionStatus
  endedAt?: number
  result?: string
  error?: ErrorObject
  /** Whether the operation that waits for the end of this execution knows of it. */
  isParentTold?: boolean
  /** Whether the queue of `onFailure` has its document. */
  isFailureSent?: boolean
  /** The number of the latest event of the history. */
  events: number
  /** The number of operations so far. */
  operations: number
  /** The size of everything that the execution keeps, in bytes. */
  bytes: number
  /** Increases with each change of an operation. */
  changes: number
  /** The number of operations that something outside of the function will continue: waits, retries, callbacks, calls. */
  waiting: number
  /** The latest change that came from outside of the function. */
  changedOutside: number
  /** The token with which the function can change the execution. Absent while no invocation may. */
  token?: string
  /** The latest change that the holder of the token has seen. */
  seen: number
  /** The latest change that the previous invocation had seen. */
  seenBefore: number
  /** The latest checkpoint, so that it can be answered again. */
  checkpoint?: {
    readonly token: string
    readonly clientToken: string
    readonly at: number
    readonly seen: number
  }
  /** The invocation that runs. */
  invocation?: { readonly id: string; readonly startedAt: number }
  /** The number of invocations that failed in a row. */
  failures: number
  /** The number of times in a row that the function could not be called. */
  refusals: number
  /** When the function is invoked again after a failure. */
  retryAt?: number
  /** The code that the invocations ran. Absent while it is not known, as for a function elsewhere. */
  code?: ExecutionCode
}

/** What a list says of an execution. */
export type ExecutionSummary = Pick<
  Execution,
  'id' | 'functionName' | 'name' | 'status' | 'startedAt' | 'endedAt'
>

/** An operation of an execution. Times are milliseconds since the epoch. */
export interface Operation {
  readonly id: string
  /** The operations of an execution are numbered in the order in which they began. The execution itself has number 0. */
  readonly number: number
  readonly type: OperationType
  readonly parentId?: string
  readonly name?: string
  readonly subType?: string
  readonly startedAt: number
  status: OperationStatus
  endedAt?: number
  /** The change of the execution that changed this operation last. */
  changed: number
  /** The result, or the state for the next attempt. For the execution itself, its input. */
  payload?: string
  error?: ErrorObject
  /** For a context: whether its operations are still needed after its end. */
  replaysChildren?: boolean
  /** For a step: the number of the latest attempt. */
  attempt?: number
  /** When the platform continues the operation: the end of a wait, the next attempt, or a time-out. */
  dueAt?: number
  /** For a wait: its length in seconds. */
  seconds?: number
  callback?: {
    readonly id: string
    /** When the callback times out. */
    readonly endsAt: number | undefined
    /** Seconds within which the next heartbeat has to come. */
    readonly heartbeat: number | undefined
  }
  call?: {
    readonly functionName: string
    readonly tenantId: string | undefined
    /** The event, until the function has answered. */
    readonly input: string | undefined
  }
}

/** An event of the history of an execution, in the words of the API. Times are milliseconds since the epoch. */
export interface HistoryEvent {
  readonly EventId: number
  readonly EventType: string
  readonly EventTimestamp: number
  readonly Id?: string | undefined
  readonly Name?: string | undefined
  readonly ParentId?: string | undefined
  readonly SubType?: string | undefined
  /** The details, under a name such as `StepStartedDetails`. */
  readonly [details: string]: unknown
}

/** The limits of an execution, as on AWS. Sizes are in bytes. */
export const executionLimits = {
  operations: 3000,
  bytes: 100 * 1024 * 1024,
  /** The size of the operations that an invocation gets at once, and of a page of operations or of the history. */
  page: 4 * 1024 * 1024,
} as const

/** Returns whether an execution has ended. */
export const hasEnded = ({ status }: Pick<Execution, 'status'>): boolean => status !== 'RUNNING'

/** Returns whether an execution has ended without success. */
export const hasFailed = ({ status }: Pick<Execution, 'status'>): boolean =>
  status !== 'RUNNING' && status !== 'SUCCEEDED'

/** Returns whether an execution that has ended still has to tell the operation that waits for it. */
export const owesAnswer = ({ parent, isParentTold }: Execution): boolean =>
  parent !== undefined && isParentTold !== true

/** Returns whether an execution that has ended still has to tell the queue for failures. */
export const owesDocument = ({ status, onFailure, isFailureSent }: Execution): boolean =>
  onFailure !== undefined && status !== 'SUCCEEDED' && isFailureSent !== true

/** The due time of what is due at once. It stays due when the clock of the storage is set back. */
export const atOnce = 0

/**
 * Returns the time at which the platform has something to do for an execution.
 * @param operationDueAt the earliest `dueAt` of its operations
 */
export function dueTime(execution: Execution, operationDueAt: number | undefined): number {
  const { startedAt, timeout, endedAt, retention, retryAt, changedOutside, seen, events } = execution
  if (hasEnded(execution))
    return owesAnswer(execution) || owesDocument(execution) ? atOnce : endedAt! + retention
  const invokeAt = retryAt ?? (changedOutside > seen || events === 1 ? atOnce : Number.POSITIVE_INFINITY)
  return Math.min(startedAt + timeout, invokeAt, operationDueAt ?? Number.POSITIVE_INFINITY)
}

/**
 * Milliseconds for which a call of another function waits, so that an invocation that does nothing else meanwhile ends
 * before its answer comes.
 */
export const callDelay = 100

/** Milliseconds after which a call no longer waits for the invocation that made it, which may do other things. */
export const longestCallDelay = 2000

/** Returns the first state of an execution, its operation and its event. */
export function firstState(
  { input, ...wanted }: NewExecution,
  now: number,
): { readonly execution: Execution; readonly operation: Operation; readonly event: HistoryEvent } {
  const { id, name, timeout, parent } = wanted
  return {
    execution: {
      ...wanted,
      ...{ startedAt: now, status: 'RUNNING', events: 1, operations: 1, bytes: Buffer.byteLength(input) },
      ...{ changes: 1, waiting: 0, changedOutside: 0, seen: 0, seenBefore: 0, failures: 0, refusals: 0 },
      ...(parent !== undefined && { retryAt: now + callDelay }),
    },
    operation: {
      ...{ id, number: 0, type: 'EXECUTION', name, startedAt: now, status: 'STARTED', changed: 1 },
      payload: input,
    },
    event: {
      ...{ EventId: 1, EventType: 'ExecutionStarted', EventTimestamp: now, Id: id, Name: name },
      ExecutionStartedDetails: {
        Input: { Payload: input, Truncated: false },
        ExecutionTimeout: Math.round(timeout / 1000),
      },
    },
  }
}
