import type { QueueSender, Source, SourceContext } from '@signalbox/platform-runtime'
import type { QueuesSettings } from './config/queues-part.ts'
import type { OpenQueues } from './open-queues.ts'
import { sqsResourceName } from './resource-name.ts'
import type { OwnQueueStore } from './store/own-queue-store.ts'

/**
 * Creates the source of queues: their store, the listener for clients, and a poller for each queue with functions.
 * The modules are loaded on start, so that a platform without queues does not load them.
 */
export function queueSource(
  settings: QueuesSettings,
  openStore: () => Promise<OwnQueueStore>,
  announce: (url: string) => void,
  context: SourceContext,
): Source & QueueSender & { readonly opened: () => OpenQueues | undefined } {
  let opening: Promise<OpenQueues> | undefined
  let opened: OpenQueues | undefined
  return {
    name: 'queues',
    mappings: settings.queues.flatMap(({ name, functions, batchWindow }) =>
      functions.map(each => ({
        queueArn: sqsResourceName(name, settings.location),
        functionName: each.functionName,
        batchSize: each.batchSize,
        batchWindow: batchWindow / 1000,
        filter: each.filter ?? [],
        maximumConcurrency: each.maximumConcurrency,
        reportBatchItemFailures: each.reportBatchItemFailures,
      })),
    ),
    async start() {
      opening = import('./open-queues.ts').then(async ({ openQueues }) =>
        openQueues(settings, await openStore(), context),
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
      if (opening === undefined) throw new Error('The queues are not open.')
      await (await opening).send(queue, body)
    },
  }
}
