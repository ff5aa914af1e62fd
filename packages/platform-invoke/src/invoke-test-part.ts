import type { ManualClock } from '@signalbox/core/testing'
import { type OpenContext, type TestPart, testRoute } from '@signalbox/platform-runtime'
import { found, RefusedError } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import { openCallbacks, runToEnd } from './executions/run-to-end.ts'
import type { OpenInvokeApi } from './open-invoke-api.ts'
import type { Execution, Operation } from './store/execution.ts'

/** The maximum number of executions of a function in one answer. */
const mostListed = 1000

/**
 * The asynchronous events and the executions of the Invoke API in the test interface.
 * @param functionNames the durable functions
 * @param isShared whether other platforms may run the same events
 */
export function invokeTestPart(
  opened: () => OpenInvokeApi | undefined,
  functionNames: readonly string[],
  { clock, isShared }: Pick<OpenContext, 'clock'> & { readonly isShared: boolean },
): TestPart {
  const storeOf = () => found(opened()?.allExecutions?.store, 'durable function')
  const isManual = (each: object): each is ManualClock => 'advance' in each
  return {
    name: 'invoke',
    isShared,
    routes: [
      testRoute('GET', '/events', {}, async () => {
        const counts = (await opened()?.queue.counts()) ?? new Map<string, number>()
        return [...counts].map(([name, waiting]) => ({ function: name, waiting }))
      }),
      testRoute('GET', '/executions', { function: t.string }, async ({ fields: { function: wanted } }) => {
        const names = functionNames.filter(name => wanted === undefined || name === wanted)
        const lists = await Promise.all(
          names.map(functionName =>
            storeOf().list({ functionName, newestFirst: true, after: undefined, limit: mostListed }),
          ),
        )
        return lists.flat().map(({ id, functionName, name, status }) => ({
          ...{ id, function: functionName, name, status },
        }))
      }),
      testRoute('POST', '/executions/{id}/end', {}, async ({ params: { id } }) => {
        if (!isManual(clock) || isShared)
          throw new RefusedError(
            'Only a platform whose clock can be moved runs an execution to its end, such as one of `signalbox dev --clock manual` with data of its own.',
          )
        return shown(found(await runToEnd(id, storeOf(), clock, functionNames), `execution ${id}`))
      }),
    ],
    reset: async () => {
      await opened()?.queue.clear?.()
      await opened()?.clearExecutions()
    },
  }
}

function shown({
  execution: { id, functionName, name, status, result, error },
  operations,
}: {
  readonly execution: Execution
  readonly operations: readonly Operation[]
}): object {
  const callbacks = status === 'RUNNING' ? openCallbacks(operations) : []
  return { id, function: functionName, name, status, result, error, callbacks }
}
