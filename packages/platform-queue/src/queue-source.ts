import type { OpenContext, QueueSender, Source, SourceContext } from '@signalbox/platform-runtime'
import type { QueuesSettings } from './config/queues-part.ts'
import type { OpenQueues } from './open-queues.ts'
import type { OwnQueueStore } from './store/own-queue-store.ts'

/**
 * Creates the source of queues: their store, the listener for clients, and a poller for each queue with functions.
 * The modules are loaded on start, so that a platform without queues does not load them.
 */
export function queueSource(
  settings: QueuesSettings,
  openStore: () => Promise<OwnQueueStore>,
  isShared: boolean,
  announce: (url: string) => void,
  context: SourceContext & Pick<OpenContext, 'services'>,
): Source & QueueSender & { readonly opened: () => OpenQueues | undefined } {
  let opening: Promise<OpenQueues> | undefined
  let opened: OpenQueues | undefined
  const open = () => {
    if (opening === undefined) throw new Error('The queues are not open.')
    return opening
  }
  return {
    name: 'queues',
    mappings: async () => (await open()).mappings(),
    changeMapping: async (...change) => (await open()).changeMapping(...change),
    async start() {
      opening = import('./open-queues.ts').then(async ({ openQueues }) =>
        openQueues(settings, await openStore(), isShared, context),
      )
      opened = await opening
      if (settings.queueListener !== undefined) announce(opened.url)
      return { source: 'queues', url: opened.url }
    },
    opened: () => opened,
    async stop(grace) {
      await opened?.stop(grace)
      opened = undefined
    },
    async send(queue, body) {
      await (await open()).send(queue, body)
    },
  }
}
