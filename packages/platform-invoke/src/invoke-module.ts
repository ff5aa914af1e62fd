import type { Executions, SourceModule } from '@signalbox/platform-runtime'
import { type InvokeSettings, invokePart } from './config/invoke-part.ts'
import type { executionConsole } from './console/execution-console.ts'
import { invokeSource } from './invoke-source.ts'

/**
 * The event source for the Invoke API of AWS Lambda, which sends any event to any function. See
 * docs/decisions/instances-and-invocations.md#the-invoke-api.
 */
export const invokeModule: SourceModule<InvokeSettings> = {
  config: invokePart,
  commands: async () => (await import('./commands/all.ts')).executionCommands,
  records: async () => [
    (await import('./store/event-records.ts')).eventRecords,
    (await import('./store/execution-records.ts')).executionRecords,
  ],
  open(settings, context) {
    const consoleOf = async (used?: Parameters<typeof executionConsole>[0]) =>
      (await import('./console/execution-console.ts')).executionConsole(used)
    if (settings === undefined) return { sources: [], access: {}, console: () => consoleOf() }
    const source = invokeSource(settings, context)
    const executions = async () => (await source.whenOpen).executions!
    return {
      sources: [source],
      access: {},
      console: () => consoleOf({ settings, opened: source.opened }),
      services: {
        executions: {
          run: async (...given) => (await executions()).run(...given),
          start: async (...given) => (await executions()).start(...given),
          end: async (...given) => (await executions()).end(...given),
          state: async id => (await executions()).state(id),
        } satisfies Executions,
      },
      tests: async () =>
        (await import('./invoke-test-part.ts')).invokeTestPart(
          source.opened,
          settings.functions.flatMap(({ functionName, durable }) => (durable ? [functionName] : [])),
          { clock: context.clock, isShared: context.engine !== undefined },
        ),
    }
  },
}
