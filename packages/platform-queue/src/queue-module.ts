import type { SourceModule } from '@signalbox/platform-runtime'
import { type QueuesSettings, queuesPart } from './config/queues-part.ts'
import type { queueConsole } from './console/queue-console.ts'
import { queueSource } from './queue-source.ts'
import { queueStarter } from './queue-starter.ts'
import { queueStorage } from './store/own-queue-store.ts'

/** The source module of queues, which keep messages and call functions with batches of them. */
export const queueModule: SourceModule<QueuesSettings> = {
  config: queuesPart,
  family: async () => (await import('./queue-family.ts')).queueEvents,
  commands: async () => (await import('./commands/all.ts')).queueCommands,
  records: async () => [(await import('./store/queue-records.ts')).queueRecords],
  starter: queueStarter,
  open(settings, { directory, engine, ...context }) {
    const consoleOf = async (used?: Parameters<typeof queueConsole>[0]) =>
      (await import('./console/queue-console.ts')).queueConsole(used, context)
    if (settings === undefined) return { sources: [], access: {}, console: () => consoleOf() }
    const openStore = async () =>
      engine === undefined
        ? (await import('./store/sqlite/local-store.ts')).localStore(
            directory.open('queues'),
            context.clock,
            context.random,
            context.notice,
          )
        : (await engine()).opener(queueStorage)(context)
    const announce = (url: string) => directory.announce({ queues: url })
    const source = queueSource(settings, openStore, engine !== undefined, announce, context)
    return {
      sources: [source],
      functions: settings.queues.flatMap(({ functions }) => functions.map(each => each.functionName)),
      access: {},
      services: { queues: source },
      console: () => consoleOf({ settings, opened: source.opened }),
      metrics: async () => {
        const { store } = source.opened() ?? {}
        return store === undefined ? [] : (await import('./queue-metrics.ts')).queueMetrics(settings, store)
      },
      tests: async () =>
        (await import('./queue-test-part.ts')).queueTestPart(settings, source.opened, {
          ...context,
          isShared: engine !== undefined,
        }),
    }
  },
}
