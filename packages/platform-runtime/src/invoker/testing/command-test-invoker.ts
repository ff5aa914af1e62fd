import { fileURLToPath } from 'node:url'
import { systemClock } from '@signalbox/core'
import { defaultLocation } from '../../location.ts'
import { type CommandSettings, commandProgram } from '../command/command-program.ts'
import type { Call } from '../invoker.ts'
import { type ProcessSettings, processInvoker } from '../process-invoker.ts'

const runtime = fileURLToPath(new URL('./functions/runtime.ts', import.meta.url))

/** Returns an invoker of `functions/runtime.ts`, unless the settings name another command. */
export function commandInvoker(settings: Partial<CommandSettings & ProcessSettings> = {}, mode = 'loop') {
  const all = {
    name: 'shop',
    command: [process.execPath, '--disable-warning=ExperimentalWarning', runtime, mode] as const,
    handlerName: 'app.handler',
    folder: process.cwd(),
    extensions: [],
    memory: 256,
    concurrency: 1,
    env: { STAGE: 'test' },
    location: defaultLocation,
    timeout: 30_000,
    instances: 1,
    tenancy: 'shared' as const,
    wait: 30_000,
    clock: systemClock,
    ...settings,
  }
  const invoker = processInvoker({ program: commandProgram(all), ...all })
  let calls = 0
  const invoke = (event: object, more: Partial<Call> = {}) =>
    invoker.invoke({ event: JSON.stringify(event), requestId: `r-${++calls}`, ...more })
  const answer = async (event: object, more?: Partial<Call>) => {
    const { payload, failure } = await invoke(event, more)
    return failure ?? (JSON.parse(payload) as unknown)
  }
  return { ...invoker, invoke, answer, [Symbol.asyncDispose]: invoker.stop }
}
