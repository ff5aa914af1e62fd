import type { OpenContext, QueueSender, SourceContext } from '@signalbox/platform-runtime'
import { activeSpan, toTraceHeader } from '@signalbox/platform-runtime/traces'
import { queueListener } from './api/listener.ts'
import type { QueuesSettings } from './config/queues-part.ts'
import { createQueues } from './create-queues.ts'
import { queueMappings } from './queue-mappings.ts'
import { connect } from './remote/connect.ts'
import { withWaitsOf } from './store/client-waits.ts'
import type { OwnQueueStore } from './store/own-queue-store.ts'
import type { QueueStore } from './store/queue-store.ts'
import { QueueStoreError } from './store/queue-store-error.ts'
import { tracedStore } from './traced-store.ts'

/** The open queues of a platform, with their listener and pollers. */
export interface OpenQueues extends QueueSender {
  readonly url: string
  /** The queues of this platform. */
  readonly store: OwnQueueStore
  /** Forgets that functions failed, and the delays that follow from it. */
  readonly resetPollers: () => void
  /** Ends the mappings of a queue that is gone. */
  readonly queueDeleted: () => Promise<void>
  readonly stop: (grace: number) => Promise<void>
}

/**
 * The wait of a receive request while a test moves the time. A test that moves it by a year would otherwise make each
 * poller ask a million times for nothing.
 */
const endless = Number.POSITIVE_INFINITY

/**
 * Creates missing queues, and starts the listener and the pollers.
 * @param isShared whether other platforms may use the same queues
 */
export async function openQueues(
  settings: QueuesSettings,
  ownStore: OwnQueueStore,
  isShared: boolean,
  context: SourceContext & Pick<OpenContext, 'services'>,
): Promise<OpenQueues> {
  const { queues, queueListener: address, location } = settings
  const { machineClock, traces } = context
  const store = traces === undefined ? ownStore : tracedStore(ownStore, traces)
  const isOneClock = context.clock === machineClock
  const stores: QueueStore[] = [store]
  const elsewhere = new Map<string, QueueStore>()
  const mapped = queueMappings(
    settings,
    ownStore,
    isShared,
    name => elsewhere.get(name) ?? store,
    isOneClock ? undefined : endless,
    context,
  )
  const deleteQueue = async (queue: string) => {
    await store.deleteQueue(queue)
    await mapped.queueDeleted()
  }
  const listener =
    address &&
    queueListener(address, { ...withWaitsOf(store, context), deleteQueue }, context.random, {
      ...context,
      clock: machineClock,
      location,
    })
  const close = async () => {
    await listener?.stop()
    await Promise.all(stores.map(each => each.close()))
  }
  try {
    await createQueues(queues, store)
    for (const { name, engine } of queues) {
      const connected = engine === undefined ? store : await connect(engine)
      const engineStore =
        traces === undefined || engine === undefined ? connected : tracedStore(connected, traces)
      if (engine !== undefined) {
        stores.push(engineStore)
        elsewhere.set(name, engineStore)
      }
    }
    const url = listener === undefined ? 'other engines' : await listener.start()
    await mapped.start()
    return {
      url,
      store,
      resetPollers: mapped.reset,
      queueDeleted: mapped.queueDeleted,
      mappings: mapped.mappings,
      changeMapping: mapped.changeMapping,
      async send(queue, body) {
        const sender = activeSpan()
        const message = { body, traceHeader: sender && toTraceHeader(sender) }
        const [sent] = await (elsewhere.get(queue) ?? store).send(queue, [message])
        if (sent instanceof QueueStoreError) throw sent
      },
      async stop(grace) {
        await mapped.stop(grace)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
