import type { Operation } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { OperationUpdate } from './inputs.ts'
import {
  countBytes,
  endExecution,
  endFromOutside,
  endWithResult,
  errorDetails,
  recordEvent,
  resultDetails,
} from './progress.ts'
import { checkUpdate, knownError, wholeSeconds } from './update-problem.ts'

/** What the updates of a function need of the platform. */
export interface UpdateContext {
  /** Returns a new id that nobody can guess. */
  readonly newId: () => string
  /** Starts what a CHAINED_INVOKE operation calls. Returns what its event says of the call. */
  readonly call: (
    draft: ExecutionChange,
    operation: Operation,
    wanted: { readonly FunctionName: string; readonly TenantId?: string | undefined },
    payload: string | undefined,
  ) => Call
}

/** A call that was started, or cannot be. */
interface Call {
  readonly functionName: string
  /** The execution of a durable function. */
  readonly executionArn: string | undefined
  /** Why the function cannot be called. */
  readonly problem?: { readonly ErrorType: string; readonly ErrorMessage: string }
}

/**
 * Makes the changes that a function asks for, in their order. `checkUpdates` has checked them against each other.
 * @throws InvalidChangeError, before anything is written, when one of them is not possible
 */
export function applyUpdates(
  draft: ExecutionChange,
  updates: readonly OperationUpdate[],
  context: UpdateContext,
): void {
  for (const given of updates) {
    const update = given.Error === undefined ? given : { ...given, Error: knownError(given.Error) }
    checkUpdate(draft, update)
    const { Error: error, Payload } = update
    countBytes(draft, Payload, error && JSON.stringify(error))
    if (update.Type === 'EXECUTION' && update.Action === 'FAIL') endExecution(draft, 'FAILED', { error })
    else if (update.Type === 'EXECUTION') endWithResult(draft, Payload)
    else apply(draft, update, context)
  }
}

function apply(draft: ExecutionChange, update: OperationUpdate, context: UpdateContext): void {
  const existing = draft.operation(update.Id)
  if (update.Action === 'CANCEL') {
    cancel(draft, existing!)
    return
  }
  const operation = existing === undefined ? added(draft, update) : { ...existing }
  if (update.Type === 'STEP') applyToStep(draft, update, operation)
  else if (update.Type === 'CONTEXT') applyToContext(draft, update, operation)
  else if (update.Type === 'WAIT') startWait(draft, update, operation)
  else if (update.Type === 'CALLBACK') startCallback(draft, update, operation, context.newId())
  else startCall(draft, update, operation, context)
}

function added(draft: ExecutionChange, { Id, Type, ParentId, Name, SubType }: OperationUpdate): Operation {
  return draft.add({
    ...{ id: Id, type: Type, status: 'STARTED' },
    ...(ParentId !== undefined && { parentId: ParentId }),
    ...(Name !== undefined && { name: Name }),
    ...(SubType !== undefined && { subType: SubType }),
  })
}

function applyToStep(
  draft: ExecutionChange,
  { Action, Payload, Error: error, StepOptions }: OperationUpdate,
  step: Operation,
): void {
  if (Action === 'START') {
    step.status = 'STARTED'
    delete step.endedAt
    draft.put(step)
    recordEvent(draft, step, 'STARTED', {})
    return
  }
  step.attempt = (step.attempt ?? 0) + 1
  delete step.payload
  delete step.error
  if (Payload !== undefined) step.payload = Payload
  if (error !== undefined) step.error = error
  const retry = { CurrentAttempt: step.attempt, NextAttemptDelaySeconds: undefined as number | undefined }
  if (Action === 'RETRY') {
    const delay = wholeSeconds(StepOptions?.NextAttemptDelaySeconds ?? 0, 0, 'NextAttemptDelaySeconds')
    retry.NextAttemptDelaySeconds = delay
    // The end of an attempt is also the end of the operation, until its next attempt starts.
    Object.assign(step, { status: 'PENDING', dueAt: draft.now + delay * 1000, endedAt: draft.now })
    draft.execution.waiting++
  } else Object.assign(step, { status: Action === 'FAIL' ? 'FAILED' : 'SUCCEEDED', endedAt: draft.now })
  draft.put(step)
  const hasFailed = Action === 'FAIL' || error !== undefined
  const details = { ...(hasFailed ? errorDetails(error) : resultDetails(Payload)), RetryDetails: retry }
  recordEvent(draft, step, hasFailed ? 'FAILED' : 'SUCCEEDED', details)
}

function applyToContext(
  draft: ExecutionChange,
  { Action, Payload, Error: error, ContextOptions }: OperationUpdate,
  context: Operation,
): void {
  if (ContextOptions?.ReplayChildren !== undefined) context.replaysChildren = ContextOptions.ReplayChildren
  if (Action === 'START') {
    draft.put(context)
    recordEvent(draft, context, 'STARTED', {})
    return
  }
  const status = Action === 'FAIL' ? 'FAILED' : 'SUCCEEDED'
  Object.assign(context, { status, endedAt: draft.now })
  if (Payload !== undefined) context.payload = Payload
  if (error !== undefined) context.error = error
  draft.put(context)
  if (context.replaysChildren !== true) draft.hidden.push(context.id)
  recordEvent(draft, context, status, Action === 'FAIL' ? errorDetails(error) : resultDetails(Payload))
}

function startWait(draft: ExecutionChange, { WaitOptions }: OperationUpdate, wait: Operation): void {
  const seconds = wholeSeconds(WaitOptions?.WaitSeconds, 1, 'WaitSeconds')
  const dueAt = draft.now + seconds * 1000
  draft.put({ ...wait, seconds, dueAt })
  draft.execution.waiting++
  recordEvent(draft, wait, 'STARTED', { Duration: seconds, ScheduledEndTimestamp: dueAt })
}

function startCallback(
  draft: ExecutionChange,
  { CallbackOptions = {} }: OperationUpdate,
  operation: Operation,
  secret: string,
): void {
  const { TimeoutSeconds = 0, HeartbeatTimeoutSeconds = 0 } = CallbackOptions
  const timeout = wholeSeconds(TimeoutSeconds, 0, 'TimeoutSeconds') || undefined
  const heartbeat = wholeSeconds(HeartbeatTimeoutSeconds, 0, 'HeartbeatTimeoutSeconds') || undefined
  const id = callbackId(draft.execution.id, operation.id, secret)
  const endsAt = timeout && draft.now + timeout * 1000
  const started = { ...operation, callback: { id, endsAt, heartbeat } }
  draft.put(withHeartbeat(started, draft.now))
  draft.execution.waiting++
  recordEvent(draft, operation, 'STARTED', {
    CallbackId: id,
    Timeout: timeout,
    HeartbeatTimeout: heartbeat,
  })
}

/** Returns a callback after a heartbeat. */
export function withHeartbeat(operation: Operation, now: number): Operation {
  const { endsAt, heartbeat } = operation.callback!
  const { dueAt: _, ...others } = operation
  const times = [endsAt, heartbeat && now + heartbeat * 1000].filter(time => time !== undefined)
  return times.length === 0 ? others : { ...others, dueAt: Math.min(...times) }
}

/** Returns the id of a callback, which names its operation and cannot be guessed. */
const callbackId = (execution: string, operation: string, secret: string): string =>
  Buffer.from(JSON.stringify([execution, operation, secret])).toString('base64')

/** Returns the operation that a callback id names. Returns undefined for any other text. */
export function namedCallback(
  id: string,
): { readonly execution: string; readonly operation: string } | undefined {
  try {
    const [execution, operation] = JSON.parse(Buffer.from(id, 'base64').toString()) as unknown[]
    return typeof execution === 'string' && typeof operation === 'string'
      ? { execution, operation }
      : undefined
  } catch {
    return undefined
  }
}

function startCall(
  draft: ExecutionChange,
  { ChainedInvokeOptions, Payload }: OperationUpdate,
  operation: Operation,
  { call }: UpdateContext,
): void {
  const wanted = ChainedInvokeOptions ?? { FunctionName: '' }
  const { functionName, executionArn, problem } = call(draft, operation, wanted, Payload)
  const started = { ...operation, call: { functionName, tenantId: wanted.TenantId, input: Payload } }
  draft.put(started)
  draft.execution.waiting++
  recordEvent(draft, operation, 'STARTED', {
    FunctionName: wanted.FunctionName,
    TenantId: wanted.TenantId,
    Input: { Payload, Truncated: false },
    ExecutedVersion: '$LATEST',
    DurableExecutionArn: executionArn ?? '',
  })
  if (problem !== undefined) endFromOutside(draft, started, 'FAILED', { error: problem })
}

function cancel(draft: ExecutionChange, operation: Operation): void {
  const { dueAt: _, ...cancelled } = { ...operation, status: 'CANCELLED' as const, endedAt: draft.now }
  draft.put(cancelled)
  draft.execution.waiting--
  if (operation.type === 'WAIT') recordEvent(draft, cancelled, 'CANCELLED', {})
}
