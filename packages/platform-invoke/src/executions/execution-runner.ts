import { failurePayload, randomHex, randomUuid } from '@signalbox/platform-runtime'
import { fromTraceparent, traceIdOf } from '@signalbox/platform-runtime/traces'
import { type ClaimedWork, type Worker, worker } from '@signalbox/platform-runtime/work'
import { callDelay, type Execution, executionLimits, hasEnded, type Operation } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { Changed, ExecutionStore } from '../store/execution-store.ts'
import { isNewCall, tooLarge } from './call-runner.ts'
import { codeDigest } from './code-digest.ts'
import { executionArn } from './execution-arn.ts'
import type { CalledFunction, RunnerContext } from './execution-settings.ts'
import { documentsOfExecution, sendDocument } from './failure-documents.ts'
import { begin, endInvocation, type InvocationEnd } from './invocation-steps.ts'
import { errorOf, shownOperation } from './operation-shape.ts'
import { endCall } from './progress.ts'
import { byteLength, updateLimits } from './update-problem.ts'

/**
 * Invokes a durable function for its executions: first when an execution starts, and again whenever something that it
 * waits for has happened. Between invocations, an execution is only a row of the storage.
 *
 * An invocation that fails is repeated after a growing pause, up to nine times in a row. One that a killed or stopping
 * platform did not end, and one for which there was no instance, is repeated without counting.
 * @param changed called with an execution that has changed
 */
export function executionRunner(
  { functionName, concurrency, location, codeFile }: CalledFunction,
  store: ExecutionStore,
  { dispatch, clock, machineClock, notice, random, services }: RunnerContext,
  changed: (execution: Execution) => void,
): Worker {
  let stopped = false
  const code = codeFile === undefined ? () => undefined : codeDigest(codeFile, machineClock)

  async function run(work: ClaimedWork): Promise<void> {
    const id = work.key
    const next = { invocationId: randomUuid(random), token: randomHex(random, 32), code: code() }
    const beginNow = (mayAsk: boolean) =>
      store.change(
        id,
        { claim: work, page: executionLimits.page },
        draft => {
          if (mayAsk && isCalledFirst(draft)) return { result: 'ask the caller' as const }
          const result = begin(draft, next)
          return {
            ...{ result, since: result === 'invoke' ? -1 : undefined },
            claim: result === 'wait' ? 'wait' : 'keep',
          }
        },
        clock.now(),
      )
    let begun = await beginNow(isNewCall(work, clock.now()))
    if (begun?.result === 'ask the caller') {
      const caller = await store.read(begun.execution.parent!.execution)
      // The answer would come before the invocation of the caller ends.
      if (caller?.invocation !== undefined) return store.giveBack(work, clock.now() + callDelay, clock.now())
      begun = await beginNow(false)
    }
    if (begun === undefined) return store.finish(work, clock.now())
    if (hasEnded(begun.execution)) changed(begun.execution)
    if (begun.result === 'forget') return store.forget(id, work)
    if (begun.result === 'tell parent') {
      await tellParent(begun.execution)
      return wait(work, { isParentTold: true })
    }
    if (begun.result === 'send failure') {
      await sendFailure(begun.execution)
      return wait(work, { isFailureSent: true })
    }
    if (begun.result === 'wait') return
    const { code: running, invocation, name } = begun.execution
    if (running?.changedAt !== undefined && running.changedAt === invocation?.startedAt)
      notice(
        `Execution ${name} of ${functionName} goes on with other code than before. A step that has another place or name now is not found.`,
      )
    const end = await invoke(begun, next)
    const after = await store.change(
      id,
      { claim: work },
      draft => {
        endInvocation(draft, next.invocationId, end)
        return { result: undefined, claim: 'wait' }
      },
      clock.now(),
    )
    if (after !== undefined) changed(after.execution)
  }

  /** Ends a claim, so that the work is due when there is something to do for the execution. */
  async function wait(
    work: ClaimedWork,
    done: Pick<Execution, 'isParentTold' | 'isFailureSent'>,
  ): Promise<void> {
    await store.change(
      work.key,
      { claim: work },
      ({ execution }) => {
        Object.assign(execution, done)
        return { result: undefined, claim: 'wait' }
      },
      clock.now(),
    )
  }

  async function sendFailure(execution: Execution): Promise<void> {
    const { id, onFailure } = execution
    const input = (await store.operation(id, id))?.payload ?? 'null'
    const about = { input, location, now: Math.floor(clock.wall()) }
    await sendDocument(services.queues!, onFailure!, documentsOfExecution(execution, about))
  }

  async function tellParent({ parent, status, result, error }: Execution): Promise<void> {
    const { execution, operation } = parent!
    if (status === 'RUNNING') return
    const after = await store.change(
      execution,
      { operations: [operation] },
      draft => {
        const isTooLarge = byteLength(result ?? '') > updateLimits.callPayload
        const problem = { ErrorType: 'Function.ResponseSizeTooLarge', ErrorMessage: tooLarge }
        endCall(
          draft,
          operation,
          isTooLarge ? 'FAILED' : status,
          isTooLarge ? { error: problem } : { payload: result, error },
        )
        return { result: undefined }
      },
      clock.now(),
    )
    if (after !== undefined) changed(after.execution)
  }

  async function invoke(
    { execution, operations, hasMore }: Changed<unknown>,
    { invocationId, token }: { readonly invocationId: string; readonly token: string },
  ): Promise<InvocationEnd> {
    const { id, trace, tenantId, seenBefore, failures, startedAt, timeout, invocation } = execution
    const event = {
      DurableExecutionArn: executionArn(execution, location),
      CheckpointToken: token,
      InitialExecutionState: {
        Operations: operations.map(each => shownOperation(each, time => Math.floor(clock.wall(time)))),
        NextMarker: hasMore ? String(operations.at(-1)!.number) : '',
      },
      UpdatedOperationIds: updatedOutside(operations, seenBefore),
    }
    const { failure, payload } = await dispatch({
      functionName,
      cause: { parent: fromTraceparent(trace), traceId: traceIdOf(id) },
      event: undefined,
      text: JSON.stringify(event),
      verbatim: true,
      isPartOfExecution: true,
      context: { awsRequestId: invocationId, ...(tenantId !== undefined && { tenantId }) },
      family: undefined,
      source: 'invoke',
      attempt: failures + 1,
      requestId: invocationId,
      timeLimit: Math.max(1, startedAt + timeout - invocation!.startedAt),
      verdict: () => undefined,
      describe: () => undefined,
    })
    if (failure === undefined) return { kind: 'returned', payload }
    // The invocation may have failed because the platform is stopping. It is repeated after the next start.
    if (stopped) return { kind: 'stopped' }
    if (failure.kind === 'unavailable') return { kind: 'refused' }
    const call = { requestId: invocationId, now: Math.floor(clock.wall(clock.now())) }
    const described = failurePayload(failure, payload, call)
    return { kind: 'failed', error: errorOf(described, { ErrorMessage: failure.message }) }
  }

  const { wake, stop } = worker<ClaimedWork>(
    {
      concurrency,
      claim: (now, limit) => store.claim(functionName, now, limit),
      run,
      giveBack: store.giveBack,
      unclaim: store.unclaim,
      failed: error =>
        notice(`Executions of ${functionName}: one waits: ${error instanceof Error ? error.message : error}`),
    },
    { clock, machineClock },
  )
  return {
    wake,
    stop(grace) {
      stopped = true
      return stop(grace)
    },
  }
}

/** Returns whether an execution that another one called has not begun. */
const isCalledFirst = ({ execution }: ExecutionChange): boolean =>
  execution.parent !== undefined && execution.events === 1 && execution.invocation === undefined

/** Returns the ids of operations that something outside of the function has ended since the last invocation. */
function updatedOutside(operations: readonly Operation[], since: number): readonly string[] {
  const isOutside = ({ type, status }: Operation) =>
    type === 'STEP' ? status === 'READY' : type !== 'EXECUTION' && type !== 'CONTEXT' && status !== 'STARTED'
  return operations.filter(each => each.changed > since && isOutside(each)).map(({ id }) => id)
}
