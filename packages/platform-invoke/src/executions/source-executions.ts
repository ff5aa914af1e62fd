import { errorPayload } from '@signalbox/core/payload'
import type {
  Executions as ExecutionsOfSources,
  InvocationResult,
  OpenContext,
} from '@signalbox/platform-runtime'
import type { Execution } from '../store/execution.ts'
import { hasEnded } from '../store/execution.ts'
import { executionArn } from './execution-arn.ts'
import type { CalledFunction } from './execution-settings.ts'
import type { Executions } from './executions.ts'
import { endOf } from './operation-shape.ts'

/** Milliseconds for which a source waits for the end of an execution. */
const longestWait = 15 * 60_000

/** Returns what other sources do with executions. */
export function sourceExecutions(
  { start, end, store }: Pick<Executions, 'start' | 'end' | 'store'>,
  location: CalledFunction['location'],
  { machineClock }: Pick<OpenContext, 'machineClock'>,
): ExecutionsOfSources {
  const begin = (functionName: string, call: Parameters<ExecutionsOfSources['start']>[1], how = {}) => {
    const { tenantId, traceparent: trace } = (call.context ?? {}) as {
      readonly [name: string]: string | undefined
    }
    return start({ functionName, input: call.event, tenantId, trace, ...how })
  }
  const stateOf = (execution: Execution) => {
    const { functionName, status } = execution
    return { functionName, status, payload: hasEnded(execution) ? endOf(execution).payload : '' }
  }
  return {
    async run(functionName, call) {
      const limit = new AbortController()
      const ms = Math.min(call.timeLimit ?? longestWait, longestWait)
      const cancel = machineClock.after(ms, () =>
        limit.abort(new Error(`${functionName} timed out after ${ms} ms`)),
      )
      try {
        const { execution } = await begin(functionName, call)
        // One that has ended may be forgotten at any moment.
        const ended = hasEnded(execution) ? execution : await end(execution.id, limit.signal)
        const { payload, error } = endOf(ended)
        return error === undefined ? result(payload) : result(payload, { kind: 'threw', message: error })
      } catch (error) {
        const { message } = error as Error
        return failed(limit.signal.aborted ? 'timeout' : 'unavailable', message)
      } finally {
        cancel()
      }
    },
    async start(functionName, call, how) {
      try {
        const { execution } = await begin(functionName, call, how)
        return result(JSON.stringify({ id: execution.id, arn: executionArn(execution, location) }))
      } catch (error) {
        return failed('unavailable', (error as Error).message)
      }
    },
    end: async (id, signal) => stateOf(await end(id, signal)),
    async state(id) {
      const execution = await store.read(id)
      return execution && stateOf(execution)
    },
  }
}

/** Returns the result of a call whose execution was not started, or has not ended in time. */
function failed(kind: 'timeout' | 'unavailable', message: string): InvocationResult {
  const name = kind === 'timeout' ? 'TimeoutError' : 'UnavailableError'
  return result(errorPayload(Object.assign(new Error(message), { name })), { kind, message })
}

const result = (payload: string, failure?: InvocationResult['failure']): InvocationResult => ({
  ...{ payload, logs: [], generation: 1, ...(failure && { failure }) },
})
