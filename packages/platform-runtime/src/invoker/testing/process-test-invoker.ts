import { systemClock } from '@signalbox/core'
import type { ModuleSettings } from '../instance/instance-process.ts'
import { moduleProgram } from '../instance/module-process.ts'
import { type ProcessSettings, processInvoker } from '../process-invoker.ts'

/** Returns an invoker of `functions/faulty.ts`, unless the settings name another module. */
export function testInvoker(settings: Partial<ProcessSettings & ModuleSettings> = {}) {
  const all = {
    name: 'shop',
    module: new URL('./functions/faulty.ts', import.meta.url).href,
    exportName: 'handler',
    timeout: 2000,
    memory: 48,
    env: {},
    folder: process.cwd(),
    instances: 1,
    concurrency: 1,
    tenancy: 'shared' as const,
    wait: 5000,
    clock: systemClock,
    ...settings,
  }
  const invoker = processInvoker({ program: moduleProgram(all, all.concurrency), ...all })
  const invoke = (event: object, limit?: number) =>
    invoker.invoke({
      event: JSON.stringify(event),
      requestId: 'r-1',
      ...(limit === undefined ? {} : { timeLimit: limit }),
    })
  return { ...invoker, invoker, invoke, [Symbol.asyncDispose]: invoker.stop }
}
