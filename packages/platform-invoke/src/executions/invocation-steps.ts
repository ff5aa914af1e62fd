import { validate } from '@signalbox/codec'
import type { ErrorObject } from '../store/execution.ts'
import { dueTime, hasEnded, owesAnswer, owesDocument } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import { InvocationOutput } from './inputs.ts'
import { continueDue, endExecution, endWithResult } from './progress.ts'
import { byteLength, knownError, updateLimits } from './update-problem.ts'

/** The number of failed invocations in a row after which an execution fails. */
const mostFailures = 9

/** Milliseconds to wait after the first failed invocation. Each further wait is twice as long, up to the longest. */
const firstRetry = 1000
const longestRetry = 5 * 60_000

/** What the platform does next for an execution. */
export type NextStep = 'invoke' | 'wait' | 'tell parent' | 'send failure' | 'forget'

/** Continues an execution whose work was claimed. With `invoke`, the token is that of the next invocation. */
export function begin(
  draft: ExecutionChange,
  next: { readonly invocationId: string; readonly token: string; readonly code: string | undefined },
): NextStep {
  continueDue(draft)
  const { execution, now } = draft
  if (hasEnded(execution)) {
    if (owesAnswer(execution)) return 'tell parent'
    if (owesDocument(execution)) return 'send failure'
    return dueTime(execution, undefined) <= now ? 'forget' : 'wait'
  }
  // If the clock was set back since the start, the pause before the first invocation is over, too.
  if ((execution.retryAt ?? 0) > now && execution.startedAt <= now) return 'wait'
  // What the platform was doing when it was killed counts as nothing.
  const wasInterrupted = execution.invocation !== undefined
  const hasNews = execution.changedOutside > execution.seen || execution.events === 1
  if (!hasNews && !wasInterrupted && execution.retryAt === undefined) return 'wait'
  execution.invocation = { id: next.invocationId, startedAt: now }
  execution.token = next.token
  noteCode(draft, next.code)
  if (execution.failures === 0 && execution.refusals === 0 && !wasInterrupted)
    execution.seenBefore = execution.seen
  execution.seen = execution.changes
  // An earlier invocation that goes on must not get the token of this one.
  delete execution.checkpoint
  delete execution.retryAt
  return 'invoke'
}

function noteCode({ execution, now }: ExecutionChange, digest: string | undefined): void {
  if (digest === undefined || execution.code?.digest === digest) return
  const { code } = execution
  execution.code =
    code === undefined
      ? { digest, changes: 0, changedAt: undefined }
      : { digest, changes: code.changes + 1, changedAt: now }
}

/** How an invocation ended. */
export type InvocationEnd =
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: ErrorObject }
  /** The function was not called, or its platform is stopping. */
  | { readonly kind: 'refused' | 'stopped' }

/** Ends an invocation. What a former invocation returns has no effect. */
export function endInvocation(draft: ExecutionChange, invocationId: string, end: InvocationEnd): void {
  const { execution, now } = draft
  const { invocation } = execution
  if (invocation?.id !== invocationId) return
  delete execution.invocation
  delete execution.token
  if (end.kind === 'refused' || end.kind === 'stopped') {
    const delay = end.kind === 'stopped' ? 0 : pauseAfter(execution.refusals++)
    execution.retryAt = now + delay
    return
  }
  execution.refusals = 0
  const output = end.kind === 'returned' ? outputOf(end.payload) : undefined
  const error = end.kind === 'failed' ? end.error : (output?.Error ?? undefined)
  draft.record(
    { EventType: 'InvocationCompleted' },
    {
      ...{ StartTimestamp: invocation.startedAt, EndTimestamp: now, RequestId: invocationId },
      ...(error !== undefined && { Error: { Payload: error, Truncated: false } }),
    },
  )
  if (hasEnded(execution)) return
  if (end.kind === 'failed') failInvocation(draft, end.error)
  else {
    execution.failures = 0
    useOutput(draft, output)
  }
}

function useOutput(draft: ExecutionChange, output: InvocationOutput | undefined): void {
  const { execution } = draft
  if (output === undefined) fail(draft, 'A durable function must return Status SUCCEEDED, FAILED or PENDING.')
  else if (output.Status === 'FAILED') endExecution(draft, 'FAILED', { error: output.Error ?? {} })
  else if (output.Status === 'SUCCEEDED') {
    const payload = output.Result ?? undefined
    if (byteLength(payload ?? '') > updateLimits.result)
      fail(draft, `The result must have at most ${updateLimits.result} bytes.`)
    else endWithResult(draft, payload)
  } else if (execution.waiting === 0 && execution.changedOutside <= execution.seen)
    fail(draft, 'Cannot return PENDING status with no pending operations.')
}

function failInvocation(draft: ExecutionChange, error: ErrorObject): void {
  const { execution, now } = draft
  execution.failures++
  if (execution.failures > mostFailures) endExecution(draft, 'FAILED', { error })
  else execution.retryAt = now + pauseAfter(execution.failures - 1)
}

const pauseAfter = (times: number): number => Math.min(longestRetry, firstRetry * 2 ** times)

function fail(draft: ExecutionChange, ErrorMessage: string): void {
  endExecution(draft, 'FAILED', { error: { ErrorType: 'InvalidParameterValueException', ErrorMessage } })
}

function outputOf(payload: string) {
  try {
    const output = validate(InvocationOutput, JSON.parse(payload))
    if (output._tag === 'Left') return undefined
    const { Status, Result, Error: error } = output.right
    return { Status, ...(Result != null && { Result }), ...(error != null && { Error: knownError(error) }) }
  } catch {
    return undefined
  }
}
