import type { Source, SourceContext } from '@signalbox/platform-runtime'
import type { DataDirectory } from '@signalbox/platform-runtime/storage'
import type { QueuesSettings } from './config/queues-part.ts'
import type { OpenQueues } from './open-queues.ts'

/**
 * All queues of a box: their store, the listener for clients, and a poller for each that has a function. What that
 * takes is loaded when it starts, so that a box without queues need not.
 */
export function queueSource(
  settings: QueuesSettings,
  directory: Pick<DataDirectory, 'open' | 'announce'>,
  context: SourceContext,
): Source {
  let opened: OpenQueues | undefined
  return {
    name: 'queues',
    async start() {
      const { openQueues } = await import('./open-queues.ts')
      opened = await openQueues(settings, directory.open('queues'), context)
      if (settings.queueListener !== undefined) directory.announce({ queues: opened.url })
      return { source: 'queues', url: opened.url }
    },
    stop: async grace => opened?.stop(grace),
  }
}
