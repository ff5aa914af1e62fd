import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Settings } from '../../config/settings.ts'
import type { Source, SourceContext } from '../source.ts'
import type { OpenQueues } from './open-queues.ts'

/** The file in the data directory that says where the queues of a running box listen. */
export const addressFile = 'queues.json'

/**
 * All queues of a box: their store, the listener for clients, and a poller for each that has a function. What that
 * takes is loaded when it starts, so that a box without queues need not.
 */
export function queues(
  settings: Pick<Settings, 'queues' | 'queueListener' | 'dataDir'>,
  open: () => DatabaseSync,
  context: SourceContext,
): Source {
  let opened: OpenQueues | undefined
  return {
    name: 'queues',
    async start() {
      const { openQueues } = await import('./open-queues.ts')
      opened = await openQueues(settings, open(), context)
      if (settings.dataDir !== undefined && settings.queueListener !== undefined)
        writeFileSync(join(settings.dataDir, addressFile), JSON.stringify({ url: opened.url }))
      return { source: 'queues', url: opened.url }
    },
    stop: async grace => opened?.stop(grace),
  }
}
