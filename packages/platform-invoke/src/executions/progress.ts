import {
  type ErrorObject,
  type ExecutionStatus,
  executionLimits,
  hasEnded,
  type Operation,
  type OperationStatus,
} from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import { byteLength, InvalidChangeError } from './update-problem.ts'

/** The result or the error with which something ended. */
export interface Ending {
  readonly payload?: string | undefined
  readonly error?: ErrorObject | undefined
}

/** The words that events and their details begin with, by the type of the operation. */
const eventNames = {
  EXECUTION: 'Execution',
  CONTEXT: 'Context',
  STEP: 'Step',
  WAIT: 'Wait',
  CALLBACK: 'Callback',
  CHAINED_INVOKE: 'ChainedInvoke',
} as const

/** The words that events end with, by the status that they lead to. */
const eventEndings: { readonly [status in OperationStatus]?: string } = {
  STARTED: 'Started',
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  TIMED_OUT: 'TimedOut',
  STOPPED: 'Stopped',
}

/** Writes an event of an operation into the history. */
export function recordEvent(
  draft: ExecutionChange,
  { id, name, parentId, subType, type }: Operation,
  status: OperationStatus,
  details: object,
): void {
  const EventType = `${eventNames[type]}${eventEndings[status]}`
  draft.record({ EventType, Id: id, Name: name, ParentId: parentId, SubType: subType }, details)
}

/** Returns the details of an event that has a result. */
export const resultDetails = (payload: string | undefined) => ({
  Result: { Payload: payload, Truncated: false },
})

/** Returns the details of an event that has an error. */
export const errorDetails = (error: ErrorObject | undefined) => ({
  Error: { Payload: error ?? {}, Truncated: false },
})

/**
 * Counts data that the execution keeps.
 * @throws InvalidChangeError when the execution would keep too much
 */
export function countBytes(draft: ExecutionChange, ...texts: readonly (string | undefined)[]): void {
  const { execution } = draft
  execution.bytes += texts.reduce((sum, text = '') => sum + byteLength(text), 0)
  if (execution.bytes > executionLimits.bytes)
    throw new InvalidChangeError(`An execution keeps at most ${executionLimits.bytes} bytes.`)
}

/** Ends an execution. */
export function endExecution(
  draft: ExecutionChange,
  status: Exclude<ExecutionStatus, 'RUNNING'>,
  { payload, error }: Ending,
): void {
  const { execution } = draft
  Object.assign(execution, { status, endedAt: draft.now, waiting: 0 })
  if (payload !== undefined) execution.result = payload
  if (error !== undefined) execution.error = error
  delete execution.token
  delete execution.retryAt
  draft.record(
    { EventType: `Execution${eventEndings[status]}`, Id: execution.id, Name: execution.name },
    status === 'SUCCEEDED' ? resultDetails(payload) : errorDetails(error),
  )
}

/** Ends an execution with a result, or as failed when the result says that the message of its queue failed. */
export function endWithResult(draft: ExecutionChange, payload: string | undefined): void {
  if (draft.execution.takesItemFailures !== true || !namesFailures(payload)) {
    endExecution(draft, 'SUCCEEDED', { payload })
    return
  }
  const error = {
    ErrorType: 'BatchItemFailure',
    ErrorMessage: 'The function reported that the message failed.',
  }
  endExecution(draft, 'FAILED', { error })
}

function namesFailures(payload: string | undefined): boolean {
  try {
    const { batchItemFailures } = Object(JSON.parse(payload ?? '')) as {
      readonly batchItemFailures?: unknown
    }
    return Array.isArray(batchItemFailures) && batchItemFailures.length > 0
  } catch {
    return false
  }
}

/** Ends an operation that waited for something outside of the function. */
export function endFromOutside(
  draft: ExecutionChange,
  operation: Operation,
  status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'STOPPED',
  { payload, error }: Ending,
): void {
  const ended: Operation = { ...operation, status, endedAt: draft.now }
  delete ended.dueAt
  if (payload !== undefined) ended.payload = payload
  if (error !== undefined) ended.error = error
  if (ended.call !== undefined) ended.call = { ...ended.call, input: undefined }
  // What comes from outside is taken; the next checkpoint is refused if it is too much.
  draft.execution.bytes +=
    byteLength(payload ?? '') + byteLength(error === undefined ? '' : JSON.stringify(error))
  putFromOutside(draft, ended)
  const details =
    ended.type === 'WAIT'
      ? { Duration: ended.seconds }
      : status === 'SUCCEEDED'
        ? resultDetails(payload)
        : errorDetails(error)
  recordEvent(draft, ended, status, details)
}

function putFromOutside(draft: ExecutionChange, operation: Operation): void {
  draft.put(operation)
  draft.execution.waiting--
  draft.execution.changedOutside = draft.execution.changes
}

/** Ends a call that an operation made, with how the function, or its execution, ended. */
export function endCall(
  draft: ExecutionChange,
  operationId: string,
  status: Exclude<ExecutionStatus, 'RUNNING'>,
  ending: Ending,
): void {
  const operation = draft.operation(operationId)
  if (hasEnded(draft.execution) || operation?.status !== 'STARTED') return
  endFromOutside(draft, operation, status, ending)
}

/** Continues everything whose time has come. */
export function continueDue(draft: ExecutionChange): void {
  const { execution, now } = draft
  if (hasEnded(execution)) return
  for (const operation of [...draft.due()].sort((a, b) => a.dueAt! - b.dueAt! || a.number - b.number)) {
    if (operation.type === 'WAIT') endFromOutside(draft, operation, 'SUCCEEDED', {})
    else if (operation.type === 'CALLBACK') timeOut(draft, operation)
    else {
      const { dueAt: _, ...ready } = operation
      putFromOutside(draft, { ...ready, status: 'READY' })
    }
  }
  if (execution.startedAt + execution.timeout <= now)
    endExecution(draft, 'TIMED_OUT', {
      error: { ErrorType: 'Execution.Timeout', ErrorMessage: 'The execution took longer than its time-out.' },
    })
}

function timeOut(draft: ExecutionChange, operation: Operation): void {
  const { endsAt } = operation.callback!
  const isOver = endsAt !== undefined && endsAt <= draft.now
  endFromOutside(draft, operation, 'TIMED_OUT', {
    error: isOver
      ? { ErrorType: 'Callback.Timeout', ErrorMessage: 'Callback timed out' }
      : { ErrorType: 'Callback.Heartbeat', ErrorMessage: 'Callback timed out on heartbeat' },
  })
}
