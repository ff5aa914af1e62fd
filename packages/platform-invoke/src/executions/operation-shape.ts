import type { ErrorObject, Execution, HistoryEvent, Operation } from '../store/execution.ts'

/** Converts a time of the storage to the form that a reader expects. */
export type ShownTime = (time: number) => unknown

/** Returns an operation in the words of the API. */
export function shownOperation(operation: Operation, time: ShownTime): object {
  const { id, parentId, name, type, subType, startedAt, endedAt, status } = operation
  return {
    ...{ Id: id, ParentId: parentId, Name: name, Type: type, SubType: subType, Status: status },
    StartTimestamp: time(startedAt),
    EndTimestamp: endedAt === undefined ? undefined : time(endedAt),
    ...detailsOf(operation, time),
  }
}

function detailsOf(
  { type, payload, error, attempt, dueAt, callback, replaysChildren }: Operation,
  time: ShownTime,
): object {
  const ending = { Result: payload, Error: error }
  const due = dueAt === undefined ? undefined : time(dueAt)
  switch (type) {
    case 'EXECUTION':
      return { ExecutionDetails: { InputPayload: payload } }
    case 'CONTEXT':
      return { ContextDetails: { ...ending, ReplayChildren: replaysChildren } }
    case 'STEP':
      return { StepDetails: { ...ending, Attempt: attempt ?? 0, NextAttemptTimestamp: due } }
    case 'WAIT':
      return { WaitDetails: { ScheduledEndTimestamp: due } }
    case 'CALLBACK':
      return { CallbackDetails: { ...ending, CallbackId: callback?.id } }
    case 'CHAINED_INVOKE':
      return { ChainedInvokeDetails: ending }
  }
}

/** Returns an event of the history in the words of the API. Without `withData`, it has no inputs, results and errors. */
export function shownEvent(event: HistoryEvent, withData: boolean, time: ShownTime): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      key.endsWith('Details')
        ? shownDetails(value as object, withData, time)
        : key === 'EventTimestamp'
          ? time(value as number)
          : value,
    ]),
  )
}

function shownDetails(details: object, withData: boolean, time: ShownTime): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      if (key.endsWith('Timestamp')) return [key, time(value as number)]
      const isData = key === 'Result' || key === 'Error' || key === 'Input'
      return [key, isData && !withData ? { Truncated: true } : value]
    }),
  )
}

/** Returns the error in the payload of a failed invocation. */
export function errorOf(payload: string, fallback: ErrorObject): ErrorObject {
  try {
    const { errorType, errorMessage, trace, stackTrace } = JSON.parse(payload) as {
      readonly [name: string]: unknown
    }
    const lines = Array.isArray(trace) ? trace : stackTrace
    return {
      ...(typeof errorType === 'string' && { ErrorType: errorType }),
      ...(typeof errorMessage === 'string' && { ErrorMessage: errorMessage }),
      ...(Array.isArray(lines) && { StackTrace: lines.map(String) }),
    }
  } catch {
    return fallback
  }
}

/** Returns what an execution that has ended answers to who waited for it, and its error in words if it failed. */
export function endOf({ status, result, error }: Pick<Execution, 'status' | 'result' | 'error'>): {
  readonly payload: string
  readonly error: string | undefined
} {
  if (status === 'SUCCEEDED') return { payload: result || 'null', error: undefined }
  const { ErrorMessage: errorMessage, ErrorType: errorType = status, StackTrace: stackTrace } = error ?? {}
  return {
    payload: JSON.stringify({ errorType, errorMessage, stackTrace }),
    error: `its execution has the status ${status}: ${errorMessage ?? errorType}`,
  }
}
