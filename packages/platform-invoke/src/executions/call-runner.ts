import { createHash } from 'node:crypto'
import { failurePayload } from '@signalbox/platform-runtime'
import { fromTraceparent, traceIdOf } from '@signalbox/platform-runtime/traces'
import { type ClaimedWork, type Worker, worker } from '@signalbox/platform-runtime/work'
import { callDelay, type Execution, hasEnded, longestCallDelay, type Operation } from '../store/execution.ts'
import type { ExecutionStore } from '../store/execution-store.ts'
import { callQueue } from '../store/execution-work.ts'
import type { CalledFunction, RunnerContext } from './execution-settings.ts'
import { errorOf } from './operation-shape.ts'
import { type Ending, endCall } from './progress.ts'
import { byteLength, updateLimits } from './update-problem.ts'

/** Milliseconds until a function is called again that could not be called. */
const refusalPause = 1000

/**
 * Calls a function without executions for the operations that wait for it. A call that a killed or stopping platform did
 * not end is repeated.
 * @param changed called with an execution that has changed
 */
export function callRunner(
  { functionName, concurrency }: CalledFunction,
  store: ExecutionStore,
  { dispatch, clock, machineClock, notice }: RunnerContext,
  changed: (execution: Execution) => void,
): Worker {
  let stopped = false

  async function run(work: ClaimedWork): Promise<void> {
    const { owner: id, data: operationId } = work
    const now = clock.now()
    const [execution, operation] = await Promise.all([store.read(id), store.operation(id, operationId)])
    if (execution === undefined || hasEnded(execution) || operation?.status !== 'STARTED')
      return store.finish(work, clock.now())
    if (execution.invocation !== undefined && isNewCall(work, now))
      return store.giveBack(work, now + callDelay, now)
    const ended = await call(work, execution, operation)
    if (ended === 'again') return store.giveBack(work, clock.now() + refusalPause, clock.now())
    const after = await store.change(
      id,
      { operations: [operationId], claim: work },
      draft => {
        endCall(draft, operationId, ended.error === undefined ? 'SUCCEEDED' : 'FAILED', ended)
        return { result: undefined, claim: 'finish' }
      },
      clock.now(),
    )
    if (after !== undefined) changed(after.execution)
  }

  async function call(
    work: ClaimedWork,
    { trace, id }: Execution,
    operation: Operation,
  ): Promise<Ending | 'again'> {
    const { tenantId, input } = operation.call!
    const requestId = requestIdOf(work)
    const { failure, payload } = await dispatch({
      functionName,
      cause: { parent: fromTraceparent(trace), traceId: traceIdOf(id) },
      event: undefined,
      text: input === undefined || input === '' ? '{}' : input,
      verbatim: true,
      ...(tenantId !== undefined && { context: { tenantId } }),
      family: undefined,
      source: 'invoke',
      requestId,
      verdict: () => undefined,
      describe: () => undefined,
    })
    if (failure === undefined)
      return byteLength(payload) > updateLimits.callPayload
        ? { error: { ErrorType: 'Function.ResponseSizeTooLarge', ErrorMessage: tooLarge } }
        : { payload: payload || 'null' }
    if (stopped || failure.kind === 'unavailable') return 'again'
    const described = failurePayload(failure, payload, {
      requestId,
      now: Math.floor(clock.wall(clock.now())),
    })
    return { error: errorOf(described, { ErrorMessage: failure.message }) }
  }

  const { wake, stop } = worker<ClaimedWork>(
    {
      concurrency,
      claim: (now, limit) => store.claim(callQueue(functionName), now, limit),
      run,
      giveBack: store.giveBack,
      unclaim: store.unclaim,
      failed: error =>
        notice(`Calls of ${functionName}: one waits: ${error instanceof Error ? error.message : error}`),
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

/**
 * Returns whether a call still waits for the end of the invocation that made it. If the clock was set back since, it does
 * not.
 */
export const isNewCall = ({ putAt }: ClaimedWork, now: number): boolean =>
  putAt <= now && now < putAt + longestCallDelay

/** Why a result does not come back. */
export const tooLarge = `The result of a called function must have at most ${updateLimits.callPayload} bytes.`

/** Returns the request id of a call, in the form of a UUID. It is the same when the call is repeated. */
function requestIdOf({ key }: ClaimedWork): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
