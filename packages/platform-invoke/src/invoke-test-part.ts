import { type TestPart, testRoute } from '@signalbox/platform-runtime'
import type { OpenInvokeApi } from './open-invoke-api.ts'

/**
 * The asynchronous events and the executions of the Invoke API in the test interface.
 * @param isShared whether other platforms may run the same events
 */
export function invokeTestPart(opened: () => OpenInvokeApi | undefined, isShared: boolean): TestPart {
  return {
    name: 'invoke',
    isShared,
    routes: [
      testRoute('GET', '/events', {}, async () => {
        const counts = (await opened()?.queue.counts()) ?? new Map<string, number>()
        return [...counts].map(([name, waiting]) => ({ function: name, waiting }))
      }),
    ],
    reset: async () => {
      await opened()?.queue.clear?.()
      await opened()?.clearExecutions()
    },
  }
}
