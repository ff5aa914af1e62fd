import { systemClock } from '@signalbox/core'
import { type ProcessSettings, processInvoker } from '../process-invoker.ts'

/** Returns an invoker of `functions/faulty.ts`, unless the settings name another module. */
export function testInvoker(settings: Partial<ProcessSettings> = {}) {
  const invoker = processInvoker({
    name: 'shop',
    module: new URL('./functions/faulty.ts', import.meta.url).href,
    exportName: 'handler',
    timeout: 2000,
    memory: 48,
    env: {},
    folder: process.cwd(),
    instances: 1,
    wait: 5000,
    clock: systemClock,
    ...settings,
  })
  const invoke = (event: object, limit?: number) =>
    invoker.invoke({
      event: JSON.stringify(event),
      requestId: 'r-1',
      ...(limit === undefined ? {} : { timeLimit: limit }),
    })
  return { ...invoker, invoker, invoke, [Symbol.asyncDispose]: invoker.stop }
}
