import type { SourceModule } from '@signalbox/platform-runtime'
import { queues as queuesCommand } from './commands/queues.ts'
import { redrive } from './commands/redrive.ts'
import { send } from './commands/send.ts'
import { type QueuesSettings, queuesPart } from './config/queues-part.ts'
import { queueSource } from './queue-source.ts'
import { queueStarter } from './queue-starter.ts'

/** Queues that keep messages and call functions with batches of them. */
export const queueModule: SourceModule<QueuesSettings> = {
  config: queuesPart,
  family: async () => (await import('./queue-family.ts')).queueEvents,
  commands: [send, queuesCommand, redrive],
  starter: queueStarter,
  open(settings, { directory, ...context }) {
    if (settings === undefined) return { sources: [], access: {} }
    const source = queueSource(settings, directory, context)
    return {
      sources: [source],
      access: {},
      services: { queues: source },
      console: async () => {
        const { consoleQueues } = await import('./console-queues.ts')
        return { queues: consoleQueues(settings, source.opened, context.clock) }
      },
    }
  },
}
